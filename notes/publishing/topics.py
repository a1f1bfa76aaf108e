"""Topics: saved, put in order, deleted."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from notes.models import PendingVersion, Topic
from notes.publishing.conflicts import claim, clean_fields, restored_on_failure, settle_address
from notesite.models import Redirect, Site
from notesite.text import unique_slug


@transaction.atomic
def save_topic(topic: Topic, *, take_retired_slug: bool = False) -> Topic:
    """Save a topic; a renamed one always leaves a redirect. A new one goes to the end."""
    with restored_on_failure(topic):
        Site.objects.hold()
        before = claim(topic)
        clean_fields(topic)
        if not topic.slug:
            topic.slug = unique_slug(topic.name, "topic", _is_taken)
        if before is None and not topic.position:
            last = Topic.objects.order_by("-position").first()
            topic.position = last.position + 1 if last else 1
        settle_address(
            Redirect.Kind.TOPIC,
            before.slug if before else "",
            topic.slug,
            was_public=True,
            take_retired=take_retired_slug,
        )
        topic.full_clean()
        topic.save()
        if before and before.slug != topic.slug:
            _rename_in_pending_versions(before.slug, topic.slug)
        Site.objects.move_revision()
    return topic


@transaction.atomic
def order_topics(pks: Sequence[int]) -> None:
    """Put the topics in the order of ``pks``; those not named follow in their old order."""
    named = {pk: place for place, pk in enumerate(pks)}
    topics = sorted(
        Topic.objects.select_for_update(),
        key=lambda topic: (named.get(topic.pk, len(named)), topic.position, topic.slug),
    )
    for position, topic in enumerate(topics, start=1):
        topic.position = position
    Topic.objects.bulk_update(topics, ["position"])
    Site.objects.move_revision()


@transaction.atomic
def delete_topic(topic: Topic) -> None:
    """Delete a topic; the notes stay. Its address is gone for good if readers may have seen it."""
    if topic.notes.filter(first_published_at__lte=timezone.now()).exists():
        Redirect.objects.leave_gone(Redirect.Kind.TOPIC, topic.slug)
    topic.delete()
    Site.objects.move_revision()


def _rename_in_pending_versions(old: str, new: str) -> None:
    """They hold their topics as slugs."""
    for pending in PendingVersion.objects.select_for_update():
        if old in pending.topics:
            pending.topics = [new if slug == old else slug for slug in pending.topics]
            pending.save(update_fields=["topics"])


def _is_taken(slug: str) -> bool:
    return (
        Topic.objects.filter(slug=slug).exists()
        or Redirect.objects.filter(kind=Redirect.Kind.TOPIC, slug=slug).exists()
    )
