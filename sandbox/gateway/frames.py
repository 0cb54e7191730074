"""The gateway's constants (opcodes, close codes, intents) and the compression of its frames.

What the frames mean is in `sessions`.
"""

import zlib
from collections.abc import Callable
from enum import IntEnum, IntFlag

import zstandard


class Op(IntEnum):
    """The opcodes that the sandbox supports."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """The close codes with which the server ends a connection."""

    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    RATE_LIMITED = 4008
    INVALID_SHARD = 4010
    SHARDING_REQUIRED = 4011
    INVALID_API_VERSION = 4012
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


class Intent(IntFlag):
    """The gateway intents that the sandbox knows by name."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT

KNOWN_INTENTS = (1 << 26) - 1

NOT_RESUMABLE = False
"""The data of op 9 when the session cannot be resumed and the bot has to identify again."""


def packer(compress: str | None) -> Callable[[str], bytes | str]:
    """An encoder of frames: one compressed stream per connection, or plain text."""
    if compress == "zstd-stream":
        zstd = zstandard.ZstdCompressor().compressobj()
        return lambda text: zstd.compress(text.encode()) + zstd.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    if compress == "zlib-stream":
        stream = zlib.compressobj()
        return lambda text: stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
    return lambda text: text
