"""A hundred files that nobody should upload, and what is to become of each.

Each is bytes under the name that a client gives them. `TAKEN` are strange but pictures, `REFUSED`
are not, or are too much.
"""

import base64
import gzip
import struct
import zlib

from PIL import Image as Pillow
from PIL import ImageCms, PngImagePlugin

from tests.notes.drawings import BILLION, ENTITIES, drawing
from tests.notes.image_files import (
    SECRET,
    animation,
    encode,
    exif,
    gradient,
    huge_png,
    photo,
    png_chunk,
    swapped_profile,
    transparent_gif,
)

type File = tuple[str, bytes]  # the client's name, and the bytes

PNG_START = b"\x89PNG\r\n\x1a\n"
SCRIPT = b"<script>alert(1)</script>"
PNG = encode(gradient(), "PNG")
GIF = encode(gradient(), "GIF")
JPEG = encode(gradient(), "JPEG")


def with_chunk(name: bytes, content: bytes) -> bytes:
    """A PNG with one more chunk right behind its header."""
    return PNG[:33] + png_chunk(name, content) + PNG[33:]


def header_of(width: int, height: int, depth: int = 8, colour: int = 2) -> bytes:
    """A PNG that says how large it is and holds nothing."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = png_chunk(b"IHDR", header), png_chunk(b"IDAT", b""), png_chunk(b"IEND", b"")
    return PNG_START + b"".join(chunks)


def with_segment(marker: int, content: bytes) -> bytes:
    """A JPEG with one more segment right behind its start."""
    return JPEG[:2] + struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content + JPEG[2:]


def with_comment(content: bytes) -> bytes:
    """A GIF with a comment in front of its picture."""
    start = GIF.index(b"\x2c\0\0\0\0")
    blocks = [content[at : at + 255] for at in range(0, len(content), 255)]
    comment = b"".join(bytes([len(block)]) + block for block in blocks)
    return GIF[:start] + b"\x21\xfe" + comment + b"\0" + GIF[start:]


def gif_of(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + GIF[10:]


def many_frames() -> bytes:
    frame = animation("GIF", 2)
    start = frame.index(b"\x21\xf9")
    return frame[:start] + frame[start:-1] * 5000 + b";"


def apng_of(frames: int) -> bytes:
    """An APNG that says it has so many frames and holds the controls of all of them."""
    control = b"".join(
        png_chunk(b"fcTL", struct.pack(">IIIIIHHBB", n, 60, 30, 0, 0, 1, 10, 0, 0))
        for n in range(frames)
    )
    return PNG[:33] + png_chunk(b"acTL", struct.pack(">II", frames, 0)) + control + PNG[33:]


def jpeg_of(width: int, height: int) -> bytes:
    at = JPEG.index(b"\xff\xc0")
    return JPEG[: at + 5] + struct.pack(">HH", height, width) + JPEG[at + 9 :]


def webp_of(width: int, height: int) -> bytes:
    """A WebP that says how large its canvas is."""
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunks = b"VP8X" + struct.pack("<I", 10) + b"\x10\0\0\0" + size
    chunks += encode(gradient(), "WEBP")[12:]
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def meta_exif() -> bytes:
    """Place, device and a thumbnail, as a telephone writes them."""
    values = exif(1)
    values[0x010F] = SECRET.decode()
    values[0x8825] = {1: "N", 2: (51.0, 28.0, 40.0), 3: "W", 4: (0.0, 0.0, 5.0), 29: "2026:01:01"}
    values[0x9286] = SECRET
    return values.tobytes()


def profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def text_of_png() -> PngImagePlugin.PngInfo:
    text = PngImagePlugin.PngInfo()
    text.add_text("Author", SECRET.decode())
    text.add_text("Raw profile type iptc", SECRET.decode(), zip=True)
    text.add_itxt("XML:com.adobe.xmp", SECRET.decode())
    return text


def tall() -> Pillow.Image:
    return gradient(size=(30, 60))


def palette(transparent: bool = True) -> Pillow.Image:
    image = Pillow.new("RGBA", (20, 10), (0, 120, 0, 255))
    if transparent:
        image.paste((0, 0, 0, 0), (0, 0, 10, 10))
    return image.quantize(16)


def svg_with(inside: str) -> bytes:
    return drawing(inside)


def address_of(data: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


MODES: dict[str, File] = {
    "CMYK": ("cmyk.jpg", encode(gradient("CMYK"), "JPEG")),
    "CMYK with a profile": ("p.jpg", encode(gradient("CMYK"), "JPEG", icc_profile=profile())),
    "YCbCr": ("ycc.jpg", encode(gradient("YCbCr"), "JPEG")),
    "grey JPEG": ("grey.jpg", encode(gradient("L"), "JPEG")),
    "progressive": ("progressive.jpg", encode(gradient(), "JPEG", progressive=True)),
    "16 bits": ("sixteen.png", encode(gradient("L").convert("I;16"), "PNG")),
    "16 bits, large": ("large.png", encode(photo(mode="L").convert("I;16"), "PNG")),
    "1 bit": ("one.png", encode(gradient("1"), "PNG")),
    "grey with alpha": ("la.png", encode(gradient("LA"), "PNG")),
    "palette": ("p.png", encode(palette(transparent=False), "PNG")),
    "palette with transparency": ("pt.png", encode(palette(), "PNG")),
    "one transparent colour": ("t.png", encode(gradient(), "PNG", transparency=(220, 30, 30))),
    "GIF that turns transparent": ("turns.gif", transparent_gif()),
    "alpha in WebP": ("alpha.webp", encode(gradient("RGBA"), "WEBP", lossless=True)),
    "alpha in AVIF": ("alpha.avif", encode(gradient("RGBA"), "AVIF")),
    "a profile of its own": ("own.png", encode(gradient(), "PNG", icc_profile=swapped_profile())),
    "a profile that is nonsense": ("n.png", encode(gradient(), "PNG", icc_profile=b"nonsense")),
    "one pixel": ("pixel.gif", encode(Pillow.new("1", (1, 1)), "GIF")),
    "a thin line": ("thin.png", encode(Pillow.new("RGB", (1, 16_000)), "PNG")),
    "animated WebP": ("moves.webp", animation("WEBP")),
    "animated PNG": ("moves.png", animation("PNG")),
    "animated AVIF": ("moves.avif", animation("AVIF")),
}
TURNED: dict[str, File] = {
    f"turned {turn} as {kind}": (f"turned.{kind.lower()}", encode(tall(), kind, exif=exif(turn)))
    for kind, turns in {"JPEG": range(1, 10), "PNG": (6,), "WEBP": (5,), "AVIF": (8,)}.items()
    for turn in turns
}
TALKATIVE: dict[str, File] = {
    "place in a JPEG": ("place.jpg", encode(photo(), "JPEG", exif=meta_exif())),
    "XMP in a JPEG": ("xmp.jpg", encode(gradient(), "JPEG", xmp=SECRET)),
    "IPTC in a JPEG": ("iptc.jpg", with_segment(0xED, b"Photoshop 3.0\0" + SECRET)),
    "a comment in a JPEG": ("comment.jpg", encode(gradient(), "JPEG", comment=SECRET)),
    "a thumbnail in a JPEG": ("thumb.jpg", with_segment(0xE0, b"JFXX\0\x10" + SECRET)),
    "a picture behind a JPEG": ("mpo.jpg", JPEG + encode(gradient(), "JPEG", comment=SECRET)),
    "text in a PNG": ("text.png", encode(photo(), "PNG", pnginfo=text_of_png())),
    "EXIF in a PNG": ("exif.png", encode(gradient(), "PNG", exif=meta_exif())),
    "a time in a PNG": ("time.png", with_chunk(b"tIME", b"\x07\xea\1\1\1\1\1")),
    "an unknown chunk": ("chunk.png", with_chunk(b"prVt", SECRET)),
    "a comment in a GIF": ("comment.gif", with_comment(SECRET)),
    "all in a WebP": (
        "all.webp",
        encode(photo(), "WEBP", exif=meta_exif(), xmp=SECRET, icc_profile=profile()),
    ),
    "all in an AVIF": (
        "all.avif",
        encode(gradient(), "AVIF", exif=meta_exif(), xmp=SECRET, icc_profile=profile()),
    ),
    "metadata in a drawing": ("meta.svg", svg_with(f"<metadata>{SECRET.decode()}</metadata>")),
    "metadata inside a drawing's picture": (
        "inside.svg",
        svg_with(
            '<image width="9" height="9" href="'
            + address_of(encode(gradient(), "JPEG", comment=SECRET, exif=meta_exif()), "image/jpeg")
            + '"/>'
        ),
    ),
}
POLYGLOT: dict[str, File] = {
    "GIF and JavaScript": ("gif.js", with_comment(b"*/=1;alert(1)/*" + SCRIPT)),
    "GIF and PHP": ("shell.php", with_comment(b"<?php system($_GET[0]); ?>" + SCRIPT)),
    "PNG and ZIP": ("a.zip", PNG + b"PK\x03\x04" + SCRIPT),
    "PNG and PDF": ("a.pdf", with_chunk(b"tEXt", b"x\0%PDF-1.7 " + SCRIPT)),
    "JPEG and HTML": ("page.html", with_segment(0xFE, b"--><html>" + SCRIPT)),
    "JPEG and HTML behind": ("page.xhtml", JPEG + b"<html>" + SCRIPT),
    "WebP and HTML": ("w.htm", encode(gradient(), "WEBP") + SCRIPT),
    "drawing and HTML": ("d.html", svg_with(f"<desc>{SCRIPT.decode()}</desc>")),
    "PNG named JPEG": ("wrong.jpg", PNG),
    "GIF named drawing": ("wrong.svg", GIF),
}
NAMES: dict[str, File] = {
    f"the name {name[:40]!r}": (name, PNG)
    for name in (
        "../../etc/passwd.png",
        "..\\..\\windows\\win.png",
        "/etc/cron.d/x.png",
        ".htaccess",
        ".png",
        "CON.png",
        "a\u202egnp.exe.png",
        "x" * 300 + ".png",
        "ж" * 200 + ".png",
        "a\nContent-Type: text/html\n\n<b>.png",
        '"><img src=x onerror=alert(1)>.png',
        "'; filename=x.html.png",
        "e\u0301tude.png",
        "📈📉.png",
        "plot.png.php",
        "plot.html.png",
        "plot.tar.gz",
        "a%00b%2f..%2f.png",
        "   .png",
        "__proto__.png",
        'a)b](c "d" {#e .f}.png',
        "ﷺ.png",
    )
}
TAKEN: dict[str, File] = MODES | TURNED | TALKATIVE | POLYGLOT | NAMES

BOMBS: dict[str, File] = {
    "pixels": ("bomb.png", huge_png(13_000, 13_000)),
    "pixels in colour": ("claims.png", header_of(20_000, 20_000)),
    "a side without end": ("side.png", header_of(2**31 - 1, 1)),
    "pixels of 16 bits": ("deep.png", header_of(16_000, 16_000, 16, 6)),
    "pixels of a GIF": ("bomb.gif", gif_of(65_535, 65_535)),
    "pixels of a JPEG": ("bomb.jpg", jpeg_of(65_500, 65_500)),
    "pixels of a WebP": ("bomb.webp", webp_of(16_384, 16_384)),
    "text that unpacks": (
        "ztxt.png",
        with_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(200_000_000))),
    ),
    "text of a language that unpacks": (
        "itxt.png",
        with_chunk(b"iTXt", b"a\0\1\0\0\0" + zlib.compress(bytes(200_000_000))),
    ),
    "a profile that unpacks": (
        "iccp.png",
        with_chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(200_000_000))),
    ),
    "ten thousand frames": ("frames.gif", many_frames()),
    "an APNG of many frames": ("frames.png", apng_of(10_000)),
    "a drawing of many uses": ("uses.svg", drawing(f'<g id="a0"><path/></g>{BILLION}')),
    "entities in entities": ("laughs.svg", drawing("<text>&i;</text>", before=ENTITIES)),
    "a drawing too deep": ("deep.svg", drawing("<g>" * 50_000 + "</g>" * 50_000)),
    "a drawing of many elements": ("many.svg", drawing("<g/>" * 200_000)),
    "a bomb inside a drawing": (
        "inside.svg",
        svg_with(f'<image href="{address_of(huge_png(13_000, 13_000), "image/png")}"/>'),
    ),
}
BROKEN: dict[str, File] = {
    "nothing": ("empty.png", b""),
    "a bare signature": ("start.png", PNG_START),
    "no pixel": ("zero.png", header_of(0, 0)),
    "no height": ("flat.png", header_of(10, 0)),
    "no pixel in a GIF": ("zero.gif", b"GIF89a" + bytes(7) + b";"),
    "a PNG cut short": ("cut.png", encode(photo(), "PNG")[:9000]),
    "a JPEG cut short": ("cut.jpg", encode(photo(), "JPEG")[:9000]),
    "a WebP cut short": ("cut.webp", encode(photo(), "WEBP")[:900]),
    "an AVIF cut short": ("cut.avif", encode(photo(), "AVIF")[:900]),
    "a wrong checksum": ("sum.png", PNG[:29] + b"abcd" + PNG[33:]),
    "PNG without pixels": ("hollow.png", header_of(9, 9)),
    "JPEG of FF": ("ff.jpg", b"\xff\xd8" + b"\xff" * 100_000),
    "a box without end": ("box.avif", struct.pack(">I", 0) + b"ftypavif" + bytes(100)),
    "a drawing cut short": ("cut.svg", drawing("<g>")[:-9]),
    "an unknown mode": ("mode.png", header_of(9, 9, 3, 5)),
}
OTHERS: dict[str, File] = {
    "TIFF": ("a.tiff", encode(gradient(), "TIFF")),
    "float TIFF": ("float.png", encode(gradient("L").convert("F"), "TIFF")),
    "BMP": ("a.bmp", encode(gradient(), "BMP")),
    "ICO": ("favicon.ico", encode(gradient(size=(16, 16)), "ICO")),
    "PDF": ("a.pdf", encode(gradient(), "PDF")),
    "EPS": ("a.eps", encode(gradient(), "EPS")),
    "PPM": ("a.ppm", encode(gradient(), "PPM")),
    "JPEG 2000": ("a.jp2", b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(99)),
    "PSD": ("a.psd", b"8BPS\0\1" + bytes(99)),
    "HEIC": ("a.heic", b"\0\0\0\x18ftypheic\0\0\0\0heicmif1" + bytes(99)),
    "MP4": ("a.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(99)),
    "HTML": ("a.png", b"<!doctype html>" + SCRIPT),
    "HTML with a drawing": ("b.svg", b"<html><svg xmlns='http://www.w3.org/2000/svg'/></html>"),
    "PHP": ("a.gif", b"<?php system($_GET[0]);"),
    "JavaScript": ("a.js", b"alert(1)"),
    "a program": ("a.exe", b"MZ" + bytes(999)),
    "ZIP": ("a.zip", b"PK\x05\x06" + bytes(18)),
    "zipped drawing": ("a.svgz", gzip.compress(drawing(""))),
    "drawing without a namespace": ("c.svg", b"<svg width='1' height='1'/>"),
    "drawing in UTF-16": ("d.svg", drawing("").decode().encode("utf-16")),
    "drawing in UTF-7": (
        "e.svg",
        b'<?xml version="1.0" encoding="utf-7"?>' + drawing("+ADw-script+AD4-"),
    ),
    "drawing that reads a file": (
        "f.svg",
        drawing("<text>&x;</text>", before='<!DOCTYPE svg [<!ENTITY x SYSTEM "/etc/passwd">]>'),
    ),
    "drawing of words as HTML": (
        "g.svg",
        drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Label</p></foreignObject>'),
    ),
}
REFUSED: dict[str, File] = BOMBS | BROKEN | OTHERS
DRAWN: dict[str, File] = {
    f"drawing with {what}": (f"{number}.svg", data)
    for number, (what, data) in enumerate(
        {
            "a script": svg_with("<script>alert(1)</script>"),
            "an event": drawing("", 'width="9" height="9" onload="alert(1)"'),
            "an outside type": drawing(
                "", before='<!DOCTYPE svg PUBLIC "-//W3C//DTD" "https://evil.example/x.dtd">'
            ),
            "a link": svg_with('<a href="javascript:alert(1)"><path d="M0 0h9"/></a>'),
            "a page in a picture": svg_with('<image href="data:text/html,%3Cscript%3E"/>'),
            "a drawing in a picture": svg_with(
                f'<image href="{address_of(drawing(SCRIPT.decode()), "image/svg+xml")}"/>'
            ),
            "a picture from elsewhere": svg_with('<image href="https://evil.example/x.png"/>'),
            "an imported sheet": svg_with("<style>@import '//evil.example/x.css'</style>"),
            "a sheet from elsewhere": drawing(
                "", before='<?xml-stylesheet href="https://evil.example/x.css"?>'
            ),
            "a use from elsewhere": svg_with('<use href="https://evil.example/x.svg#a"/>'),
            "an animated link": svg_with(
                '<a><set attributeName="href" to="javascript:alert(1)"/></a>'
            ),
            "foreign content": svg_with(
                '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" '
                'src="javascript:alert(1)"/></foreignObject>'
            ),
            "a base": drawing("", 'width="9" height="9" xml:base="https://evil.example/"'),
            "a processing instruction": svg_with("<?php system(1) ?><path/>"),
        }.items()
    )
}
TAKEN |= DRAWN
