"""Image files for the tests: plain, moving, talkative, huge and broken ones."""

import io
import struct
import zlib
from random import Random

from PIL import Image as Pillow
from PIL import ImageCms, ImageDraw, ImageStat

from notes.images import Image

FORMATS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "GIF": "gif", "AVIF": "avif"}
ANIMATED = ["PNG", "WEBP", "GIF", "AVIF"]
SECRET = b"51.4779 N home of the author"


def encode(image: Pillow.Image, kind: str, **options) -> bytes:
    file = io.BytesIO()
    image.save(file, format=kind, **options)
    return file.getvalue()


def opened(picture: Image) -> Pillow.Image:
    image = Pillow.open(io.BytesIO(picture.bytes))
    image.load()
    return image


def gradient(mode: str = "RGB", size: tuple[int, int] = (60, 30)) -> Pillow.Image:
    """A picture whose left is red and whose right is blue."""
    image = Pillow.new("RGB", size, (220, 30, 30))
    image.paste((30, 30, 220), (size[0] // 2, 0, *size))
    return image.convert(mode)


def drawing(seed: int, size: tuple[int, int] = (1000, 600), mode: str = "RGB") -> Pillow.Image:
    """Thin smooth lines in colours, as in a plot; large enough to have copies."""
    random = Random(seed)
    width, height = size[0] * 2, size[1] * 2
    image = Pillow.new("RGB", (width, height), "white")
    pen = ImageDraw.Draw(image)
    for _ in range(60):
        points = [(random.randrange(width), random.randrange(height)) for _ in range(2)]
        pen.line(points, random.choice([(200, 30, 30), (30, 30, 200), (0, 0, 0)]), 5)
    return image.reduce(2).convert(mode)


def photo(size: tuple[int, int] = (1000, 700), mode: str = "RGB") -> Pillow.Image:
    """Soft colours with some grain; its left is redder than its right."""
    bands = [Pillow.linear_gradient("L").resize(size).rotate(turn) for turn in (0, 90, 180)]
    soft = Pillow.merge("RGB", bands)
    soft.paste((220, 60, 60), (0, 0, size[0] // 3, size[1]))
    noise = Random(0).randbytes(size[0] * size[1])
    grain = Pillow.frombytes("L", size, noise).convert("RGB")
    return Pillow.blend(soft, grain, 0.12).convert(mode)


def animation(kind: str, frames: int = 3) -> bytes:
    colours = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0)]
    pictures = [Pillow.new("RGB", (40, 20), colours[number % 4]) for number in range(frames)]
    durations = [100 + 50 * number for number in range(frames)]
    return encode(
        pictures[0], kind, save_all=True, append_images=pictures[1:], duration=durations, loop=0
    )


def transparent_gif() -> bytes:
    """A red square whose left half turns transparent, which Pillow can read but not write."""
    red = Pillow.new("P", (20, 20), 0)
    red.putpalette(b"\xff\0\0\0\xff\0\0\0\xff\xff\xff\xff")
    half = red.copy()
    half.paste(2, (0, 0, 10, 20))
    control = b"\x21\xf9\x04\x09\x0a\0\x02\0"  # colour 2 is transparent; clear afterwards
    files = [encode(image, "GIF", optimize=False) for image in (red, half)]
    start = files[0].index(b"\x2c\0\0\0\0")
    return files[0][:start] + b"".join(control + file[start:-1] for file in files) + b";"


def exif(orientation: int) -> Pillow.Exif:
    values = Pillow.Exif()
    values[0x0112] = orientation
    values[0x010E] = SECRET.decode()
    return values


def png_chunk(name: bytes, content: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + checksum


def huge_png(width: int, height: int) -> bytes:
    """A grey picture of any size in a few kilobytes."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    compressor = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    rows = b"".join(compressor.compress(row) for _ in range(height)) + compressor.flush()
    chunks = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def swapped_profile() -> bytes:
    """A colour profile of our own in which red and blue have changed places."""
    data = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    data = data.replace("sRGB".encode("utf-16-be"), "mine".encode("utf-16-be"))
    data = data.replace(b"rXYZ", b"????", 1).replace(b"bXYZ", b"rXYZ", 1)
    return data.replace(b"????", b"bXYZ", 1)


def mean(image: Pillow.Image) -> list[float]:
    return ImageStat.Stat(image.convert("RGB")).mean
