"""Pictures from strangers' files: decoded, turned, stripped and written anew.

Drawings are read and written by `notes.svg`; all else here is about pixels.

Nothing of an upload is believed: the type comes from its bytes, the size from its header, the
name from the hash of what we wrote.
"""

import hashlib
import io
import warnings
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from PIL import Image as Pillow
from PIL import ImageCms, ImageOps, JpegImagePlugin

from notes import image_containers, svg

MAX_BYTES = 10 * 1024 * 1024
MAX_PIXELS = 40_000_000
MAX_DRAWING_BYTES = 3 * 1024 * 1024
MAX_FRAMES = 600
MAX_ANIMATION_PIXELS = 60_000_000
MAX_SIDE = 16_383  # what every one of the formats can hold

EXTENSIONS = {
    "JPEG": "jpg",
    "PNG": "png",
    "WEBP": "webp",
    "GIF": "gif",
    "AVIF": "avif",
    "SVG": "svg",
}

# Set once for the process: `warnings.catch_warnings` is not safe among the server's threads.
warnings.simplefilter("error", Pillow.DecompressionBombWarning)


class ImageRefused(Exception):
    """Why a file is not taken, in one sentence (or two) for the author, with the cure."""


class ImageTypeRefused(ImageRefused):
    """The file is not one of the formats that are taken."""


class ImageTooLarge(ImageRefused):
    """The file has too many bytes, pixels or frames."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as it is stored: `bytes` know nothing about place, device or owner."""

    format: str
    bytes: bytes
    width: int
    height: int
    sha256: str
    extension: str
    frames: int

    @property
    def path(self) -> str:
        """Return where the media store keeps it: hashed, so immutable and not to be guessed."""
        return f"figures/{self.sha256[:32]}.{self.extension}"


@dataclass(frozen=True, slots=True)
class Decoded:
    """All frames of a file, still as the file has them."""

    format: str
    frames: list[Pillow.Image]
    durations: list[float]
    loop: int | None
    orientation: int
    icc_profile: bytes
    lossless: bool
    default_image: bool  # an APNG whose first picture is not part of the animation
    jpeg_tables: dict[str, Any] | None


def decode(data: bytes) -> Image:
    """Decode, turn, strip and re-encode one uploaded picture, or raise `ImageRefused`."""
    return prepare(data)


def prepare(data: bytes, keep_clean: bool = False) -> Image:
    """Do what `decode` does, but keep the bytes of a file that has nothing to strip if asked to.

    A content folder's figures come through here, so that import and export give the same bytes.
    """
    if is_drawing(data):
        return _drawing(data)
    decoded = _read(data)
    if keep_clean and _needs_no_conversion(decoded) and is_clean(data):
        return _image(decoded.format, data, decoded.frames[0].size, len(decoded.frames))
    try:
        written = _write(decoded)
        with Pillow.open(io.BytesIO(written), formats=[decoded.format]) as result:
            return _image(decoded.format, written, result.size, getattr(result, "n_frames", 1))
    except (OSError, ValueError, SyntaxError, MemoryError) as error:
        raise _broken(decoded.format) from error


def is_drawing(data: bytes) -> bool:
    """Say whether a file begins as an SVG drawing does."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith(b"<") and b"<svg" in start


def _drawing(data: bytes) -> Image:
    """Keep of a drawing what the allowlist names; the same bytes if that is all there is."""
    if len(data) > MAX_DRAWING_BYTES:
        raise ImageTooLarge(
            _("This drawing has more than %(limit)d MB. Export it as PNG.")
            % {"limit": MAX_DRAWING_BYTES // 1024**2}
        )
    left = MAX_PIXELS

    def embed(inside: bytes) -> tuple[str, bytes] | None:
        nonlocal left
        picture = None if is_drawing(inside) or left <= 0 else prepare(inside, keep_clean=True)
        if picture is None:
            return None
        left -= picture.width * picture.height
        return f"image/{picture.format.lower()}", picture.bytes

    try:
        drawing = svg.clean(data, embed)
    except svg.NotADrawing as refusal:
        raise ImageTypeRefused(str(refusal)) from refusal
    except svg.Refused as refusal:
        raise ImageRefused(str(refusal)) from refusal
    return _image("SVG", drawing.bytes, (drawing.width, drawing.height), 1)


def is_clean(data: bytes) -> bool:
    """Say whether a file is pixels and structure only, without a byte in between or after."""
    if is_drawing(data):
        try:
            return _drawing(data).bytes == data
        except ImageRefused:
            return False
    kind = _kind(data)
    return kind is not None and image_containers.is_clean(kind, data)


def _image(kind: str, data: bytes, size: tuple[int, int], frames: int) -> Image:
    return Image(
        format=kind,
        bytes=data,
        width=size[0],
        height=size[1],
        sha256=hashlib.sha256(data).hexdigest(),
        extension=EXTENSIONS[kind],
        frames=frames,
    )


def _kind(data: bytes) -> str | None:
    """Return the format that the first bytes announce."""
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp":
        brands = data[8 : min(int.from_bytes(data[:4]), 256)]
        if b"avif" in brands or b"avis" in brands:
            return "AVIF"
    return None


def _broken(kind: str) -> ImageRefused:
    return ImageRefused(
        _(
            "This %(format)s file is damaged or cut short and can't be decoded. "
            "Export the image again and upload the new file."
        )
        % {"format": {"WEBP": "WebP"}.get(kind, kind)}
    )


def _read(data: bytes) -> Decoded:
    """Check everything the header can tell, then decode every frame."""
    if not data:
        raise ImageRefused(_("This file is empty. Export the image again and upload the new file."))
    if len(data) > MAX_BYTES:
        raise ImageTooLarge(
            _(
                "This file has %(size).1f MB, and an image may have at most %(limit)d MB. "
                "Make it smaller or save it with stronger compression."
            )
            # One byte too many must not read "10.0 MB is more than 10 MB".
            % {"size": len(data) / 1024**2 + 0.05, "limit": MAX_BYTES // 1024**2}
        )
    kind = _kind(data)
    if kind is None:
        raise _unknown_type()
    try:
        with Pillow.open(io.BytesIO(data), formats=[kind]) as image:
            frames = _frame_count(kind, data, image)
            _check_size(image.size, frames)
            return _read_frames(kind, data, image, frames)
    except (Pillow.DecompressionBombError, Pillow.DecompressionBombWarning) as error:
        raise _too_many_pixels() from error
    # Pillow's decoders raise whatever the damage makes them stumble over.
    except (OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError) as error:
        raise _broken(kind) from error
    except (AttributeError, ArithmeticError, MemoryError, RuntimeError) as error:
        raise _broken(kind) from error


def _unknown_type() -> ImageTypeRefused:
    return ImageTypeRefused(
        _(
            "This file is not a JPEG, PNG, WebP, GIF, AVIF or SVG image, whatever its name says. "
            "Export the image in one of these formats."
        )
    )


def _too_many_pixels(size: tuple[int, int] | None = None) -> ImageTooLarge:
    limit = MAX_PIXELS // 1_000_000
    if size is None:
        return ImageTooLarge(
            _("This image has more than %(limit)d million pixels. Scale it down and try again.")
            % {"limit": limit}
        )
    return ImageTooLarge(
        _(
            "This image has %(width)d × %(height)d pixels, and at most %(limit)d million in all "
            "and %(side)d on a side can be shown. Scale it down and try again."
        )
        % {"width": size[0], "height": size[1], "limit": limit, "side": MAX_SIDE}
    )


def _frame_count(kind: str, data: bytes, image: Pillow.Image) -> int:
    """Count frames without decoding them; the pictures a phone adds to a JPEG don't count."""
    if kind == "JPEG":
        return 1
    if kind == "GIF":
        # Pillow would decode its way through them, which ten thousand frames make long.
        return max(1, image_containers.count_gif_frames(data))
    return getattr(image, "n_frames", 1)


def _check_size(size: tuple[int, int], frames: int) -> None:
    width, height = size
    if width * height > MAX_PIXELS or max(size) > MAX_SIDE:
        raise _too_many_pixels(size)
    if frames > MAX_FRAMES or (frames > 1 and width * height * frames > MAX_ANIMATION_PIXELS):
        raise ImageTooLarge(
            _(
                "This animation has %(frames)d frames of %(width)d × %(height)d pixels, and at "
                "most %(limit)d frames and %(pixels)d million pixels in all can be kept. "
                "Shorten it or scale it down."
            )
            % {
                "frames": frames,
                "width": width,
                "height": height,
                "limit": MAX_FRAMES,
                "pixels": MAX_ANIMATION_PIXELS // 1_000_000,
            }
        )


def _read_frames(kind: str, data: bytes, image: Pillow.Image, count: int) -> Decoded:
    frames: list[Pillow.Image] = []
    durations: list[float] = []
    orientation = 1
    for number in range(count):
        if number:
            image.seek(number)
        image.load()
        _check_size(image.size, count)  # a GIF's later frame can enlarge the picture
        if number == 0:
            orientation = image.getexif().get(0x0112, 1)
        durations.append(image.info.get("duration", 0))
        frames.append(image.copy())
    return Decoded(
        format=kind,
        frames=frames,
        durations=durations,
        loop=image.info.get("loop"),
        orientation=orientation if orientation in range(2, 9) else 1,
        icc_profile=image.info.get("icc_profile") or b"",
        lossless=kind == "WEBP" and image_containers.is_lossless_webp(data),
        default_image=bool(image.info.get("default_image")),
        jpeg_tables=_jpeg_tables(image),
    )


def _jpeg_tables(image: Pillow.Image) -> dict[str, Any] | None:
    """Return the camera's own tables: with them a second generation loses next to nothing."""
    if not isinstance(image, JpegImagePlugin.JpegImageFile) or image.mode not in ("L", "RGB"):
        return None
    return {"qtables": image.quantization, "subsampling": JpegImagePlugin.get_sampling(image)}


def _needs_no_conversion(decoded: Decoded) -> bool:
    return decoded.orientation == 1 and not decoded.icc_profile and decoded.frames[0].mode != "CMYK"


def _cleaned(frame: Pillow.Image, decoded: Decoded) -> Pillow.Image:
    """Return one frame upright and in sRGB, with nothing but its pixels and transparency."""
    frame = _in_srgb(frame, decoded.icc_profile)
    if decoded.orientation != 1:
        exif = Pillow.Exif()
        exif[0x0112] = decoded.orientation
        frame.info["exif"] = exif.tobytes()
        frame = ImageOps.exif_transpose(frame)
    frame.info = {key: value for key, value in frame.info.items() if key == "transparency"}
    return frame


def _in_srgb(frame: Pillow.Image, icc_profile: bytes) -> Pillow.Image:
    if icc_profile and frame.mode not in ("1", "L", "LA", "I;16", "I"):
        try:
            profile = ImageCms.ImageCmsProfile(io.BytesIO(icc_profile))
            if "sRGB" not in ImageCms.getProfileDescription(profile):
                # A palette's colours are converted as pixels.
                if frame.mode in ("P", "PA"):
                    frame = frame.convert("RGBA" if frame.has_transparency_data else "RGB")
                mode = "RGBA" if frame.mode == "RGBA" else "RGB"
                srgb = ImageCms.createProfile("sRGB")
                converted = ImageCms.profileToProfile(frame, profile, srgb, outputMode=mode)
                if converted is not None:
                    frame = converted
        except (ImageCms.PyCMSError, OSError, ValueError):
            # A profile that can't be read says nothing; the colours are then taken as they stand.
            return _in_srgb(frame, b"")
    return frame.convert("RGB") if frame.mode == "CMYK" else frame


def _with_transparent_index(frame: Pillow.Image) -> Pillow.Image:
    """Return a palette picture whose colour 255 is transparent, in every frame alike.

    Left to itself, Pillow loses a pixel that turns transparent after an opaque first frame.
    """
    rgba = frame.convert("RGBA")
    palette = rgba.convert("RGB").quantize(255, dither=Pillow.Dither.NONE)
    palette.paste(255, mask=rgba.getchannel("A").point(lambda alpha: 255 if alpha < 128 else 0))
    palette.info["transparency"] = 255
    return palette


def _write(decoded: Decoded) -> bytes:
    """Encode the frames in their own format, every kind of metadata left out by name."""
    frames = [_cleaned(frame, decoded) for frame in decoded.frames]
    options: dict[str, Any] = {"icc_profile": None, "exif": b""}
    if len(frames) > 1:
        options |= {"save_all": True, "append_images": frames[1:], "duration": decoded.durations}
        if decoded.loop is not None:
            options["loop"] = decoded.loop
    match decoded.format:
        case "JPEG":
            frames = [frames[0] if frames[0].mode in ("L", "RGB") else frames[0].convert("RGB")]
            options |= decoded.jpeg_tables or {"quality": 92}
            options |= {"comment": b""}
        case "PNG":
            options |= {"optimize": frames[0].width * frames[0].height * len(frames) < 1_000_000}
            if len(frames) > 1:
                # Frames are whole pictures by now; one outside the animation has no time.
                options |= {"disposal": 0, "blend": 0, "default_image": decoded.default_image}
                if decoded.default_image:
                    options["duration"] = decoded.durations[1:]
        case "GIF":
            options |= {"comment": b""}
            if len(frames) > 1 and any(frame.has_transparency_data for frame in frames):
                frames = [_with_transparent_index(frame) for frame in frames]
                options |= {"append_images": frames[1:], "transparency": 255, "disposal": 2}
        case "WEBP":
            quality = {"lossless": True, "quality": 75} if decoded.lossless else {"quality": 90}
            options |= {"method": 4 if len(frames) == 1 else 2, "exact": True, **quality}
        case "AVIF":
            # Whole colour keeps thin lines in figures; for a large photo it would take a gigabyte.
            whole_colour = frames[0].width * frames[0].height < 10_000_000
            options |= {"quality": 85, "speed": 10}
            options |= {"subsampling": "4:4:4" if whole_colour else "4:2:0"}
            options["icc_profile"] = b""
    written = io.BytesIO()
    frames[0].save(written, format=decoded.format, **options)
    if decoded.format == "AVIF" and len(frames) > 1:
        return image_containers.without_times(written.getvalue())
    return written.getvalue()
