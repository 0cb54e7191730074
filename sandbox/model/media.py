"""Media files: content type and size in pixels of an upload, and plain PNGs to stand in for avatars."""

import mimetypes
import struct
import zlib

PNG = b"\x89PNG\r\n\x1a\n"


def content_type(filename: str) -> str:
    """The media type of a file, guessed from its name."""
    return mimetypes.guess_type(filename)[0] or "application/octet-stream"


def size_in_pixels(content: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG or GIF; None for any other file."""
    if content.startswith(PNG) and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return int(width), int(height)
    if content[:6] in (b"GIF87a", b"GIF89a") and len(content) >= 10:
        width, height = struct.unpack("<HH", content[6:10])
        return int(width), int(height)
    return None


def plain_png(color: str, side: int = 64) -> bytes:
    """A square PNG of one colour, given as `#rrggbb`; `side` is in pixels."""
    row = b"\x00" + bytes.fromhex(color.removeprefix("#")) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(row * side)), (b"IEND", b""))
    return PNG + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
