"""Uploads: an image pasted or dropped into the text becomes a figure of the site."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from notes.editor.access import author_of, for_authors
from notes.images import MAX_BYTES, ImageRefused, ImageTooLarge, ImageTypeRefused
from notes.models import Figure
from notes.publishing import add_figure


def refuse(sentence: str, status: int) -> HttpResponse:
    return JsonResponse({"error": sentence}, status=status)


@for_authors(refuse)
def upload(request: HttpRequest) -> HttpResponse:
    """Store ``image`` and answer with the Markdown that shows it, or with one sentence why not."""
    file = request.FILES.get("image")
    if not isinstance(file, UploadedFile):
        return refuse(_("The request holds no image. Choose a file and try again."), 400)
    if (file.size or 0) > MAX_BYTES:
        return refuse(
            _("“%(name)s” has more than %(limit)d MB. Make the image smaller and try again.")
            % {"name": file.name, "limit": MAX_BYTES // 1024**2},
            413,
        )
    try:
        figure = _add(request, file)
    except ImageTypeRefused as refusal:
        return refuse(str(refusal), 415)
    except ImageTooLarge as refusal:
        return refuse(str(refusal), 413)
    except ImageRefused as refusal:
        return refuse(str(refusal), 400)
    except ValidationError as error:
        return refuse(" ".join(error.messages), 400)
    return JsonResponse({"image_code": f"![](figures/{figure.name})", "name": figure.name})


def _add(request: HttpRequest, file: UploadedFile) -> Figure:
    data = file.read()
    try:
        return add_figure(data, name=file.name or "", by=author_of(request))
    except IntegrityError:
        # Somebody took the name between the look and the save; there is another one.
        return add_figure(data, name=file.name or "", by=author_of(request))
