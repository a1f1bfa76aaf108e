"""Following links through the site, as a reader without a browser would."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup
from django.conf import settings
from django.test import Client
from django.urls import reverse

LINKING = {"a": "href", "link": "href", "img": "src", "script": "src"}
XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


def crawl(
    client: Client, starts: Iterable[str], seen: Callable[[str, Any, str], object]
) -> set[str]:
    """Get every internal address that can be reached; ``seen(address, response, linked_from)``.

    Static files and media stand beside Django and aren't followed; nor is the admin, which authors'
    pages link to.
    """
    waiting = [(start, "the start") for start in starts]
    visited: set[str] = set()
    while waiting:
        address, source = waiting.pop()
        bare = address.partition("#")[0]
        if bare in visited:
            continue
        visited.add(bare)
        response = client.get(bare)
        seen(bare, response, source)
        waiting += [(link, bare) for link in internal_links(bare, response)]
    return visited


def internal_links(address: str, response: Any) -> list[str]:
    """What an answer links to on this site: in its body, or where it leads."""
    found = [response["Location"]] if "Location" in response else []
    kind = response.get("Content-Type", "")
    if kind.startswith("text/html"):
        soup = BeautifulSoup(response.content, "html.parser")
        for name, attribute in LINKING.items():
            found += [str(tag[attribute]) for tag in soup.find_all(name, attrs={attribute: True})]
        found += candidates(soup)
    elif "xml" in kind:
        for element in ET.fromstring(response.content).iter():  # noqa: S314  # our own bytes
            if element.tag.endswith(("}link", "}loc")):
                found.append(element.get("href") or element.text or "")
            elif element.tag.endswith("}content"):
                text = BeautifulSoup(element.text or "", "html.parser")
                found += [
                    urljoin(element.get(XML_BASE, ""), str(tag["href"]))
                    for tag in text.find_all("a", href=True)
                ]
    absolute = (urljoin(settings.SITE_URL + address, link) for link in found)
    ours = (link.removeprefix(settings.SITE_URL) for link in absolute if is_ours(link))
    elsewhere = (settings.STATIC_URL, settings.MEDIA_URL, reverse("admin:index"))
    return [link for link in ours if not link.startswith(elsewhere)]


def candidates(soup: BeautifulSoup) -> list[str]:
    """The addresses of all copies that a page's pictures have to choose from."""
    lists = [str(tag["srcset"]) for tag in soup.find_all(srcset=True)]
    return [one.split()[0] for srcset in lists for one in srcset.split(",")]


def is_ours(link: str) -> bool:
    return link == settings.SITE_URL or link.startswith(f"{settings.SITE_URL}/")


def fragment_is_there(link: str, response: Any) -> bool:
    """Whether the page has the element that the link names behind ``#``."""
    fragment = unquote(urlsplit(link).fragment)
    if not fragment:
        return True
    soup = BeautifulSoup(response.content, "html.parser")
    return soup.find(id=fragment) is not None
