"""Discord's JSON error responses.

    DiscordError                one error response: HTTP status, Discord's code and message, invalid fields
        made from a Refusal     the closed set of codes that the sandbox can answer with
    Form                        collects the field errors of one request and raises them together as 50035

The sentences are Discord's, so that the bot's log reads as it would against Discord. The routes and
`validation` decide which requests to refuse.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

Path = tuple[str | int, ...]
"""The place of an error in a request body: keys and indexes from the outermost to the innermost."""


class DiscordError(Exception):
    """A request was refused; the middleware turns this into a JSON response."""

    def __init__(
        self,
        *,
        status: int,
        code: int,
        message: str,
        errors: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.retry_after = retry_after

    def payload(self) -> dict[str, Any]:
        """The body of the response."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body


@dataclass(frozen=True, slots=True)
class Answer:
    """HTTP status, Discord's code and Discord's sentence."""

    status: int
    code: int
    message: str

    def error(self, *, retry_after: float | None = None) -> DiscordError:
        """The answer as an exception to raise; `retry_after` is in seconds."""
        return DiscordError(status=self.status, code=self.code, message=self.message, retry_after=retry_after)


class Refusal(Enum):
    """Every refusal that has an error code of its own; some come only as a test plans them."""

    NOT_FOUND = Answer(404, 0, "404: Not Found")
    METHOD_NOT_ALLOWED = Answer(405, 0, "405: Method Not Allowed")
    UNAUTHORIZED = Answer(401, 0, "401: Unauthorized")
    UNKNOWN_CHANNEL = Answer(404, 10003, "Unknown Channel")
    UNKNOWN_GUILD = Answer(404, 10004, "Unknown Guild")
    UNKNOWN_MEMBER = Answer(404, 10007, "Unknown Member")
    UNKNOWN_MESSAGE = Answer(404, 10008, "Unknown Message")
    UNKNOWN_ROLE = Answer(404, 10011, "Unknown Role")
    UNKNOWN_USER = Answer(404, 10013, "Unknown User")
    UNKNOWN_EMOJI = Answer(404, 10014, "Unknown Emoji")
    UNKNOWN_WEBHOOK = Answer(404, 10015, "Unknown Webhook")
    UNKNOWN_APPLICATION = Answer(404, 10002, "Unknown Application")
    UNKNOWN_INTERACTION = Answer(404, 10062, "Unknown interaction")
    UNKNOWN_COMMAND = Answer(404, 10063, "Unknown application command")
    RATE_LIMITED = Answer(429, 0, "You are being rate limited.")
    TOO_MANY_ANNOUNCEMENT_EDITS = Answer(
        403, 20022, "This message cannot be edited due to announcement rate limits"
    )
    QUARANTINED = Answer(403, 20026, "Your bot has been flagged by our anti-spam system")
    TOO_MANY_OLD_EDITS = Answer(
        429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later."
    )
    TOO_MANY_COMMANDS_CREATED = Answer(
        400, 30034, "Max number of daily application command creates has been reached (200)"
    )
    TOO_MANY_EMOJIS = Answer(400, 30008, "Maximum number of emojis reached (2000)")
    OPENING_DMS_TOO_FAST = Answer(400, 40003, "You are opening direct messages too fast")
    TOO_LARGE = Answer(413, 40005, "Request entity too large")
    ALREADY_ACKNOWLEDGED = Answer(400, 40060, "Interaction has already been acknowledged.")
    TOO_MANY_FOLLOW_UPS = Answer(
        400, 40094, "This interaction has reached the maximum number of follow-up messages."
    )
    MISSING_ACCESS = Answer(403, 50001, "Missing Access")
    NOT_THE_AUTHOR = Answer(403, 50005, "Cannot edit a message authored by another user")
    EMPTY_MESSAGE = Answer(400, 50006, "Cannot send an empty message")
    DMS_CLOSED = Answer(403, 50007, "Cannot send messages to this user")
    NO_MUTUAL_GUILD = Answer(403, 50278, "Cannot send messages to this user due to having no mutual guilds")
    MISSING_PERMISSIONS = Answer(403, 50013, "Missing Permissions")
    WRONG_CHANNEL_TYPE = Answer(400, 50024, "Cannot execute action on this channel type")
    INVALID_WEBHOOK_TOKEN = Answer(401, 50027, "Invalid Webhook Token")
    THREAD_ARCHIVED = Answer(400, 50083, "Thread is archived")
    THREAD_LOCKED = Answer(403, 160005, "Thread is locked")
    THREAD_EXISTS = Answer(400, 160004, "A thread has already been created for this message")
    INVALID_JSON = Answer(400, 50109, "The request body contains invalid JSON.")

    def error(self, *, retry_after: float | None = None) -> DiscordError:
        """The refusal as an exception to raise; `retry_after` is in seconds."""
        return self.value.error(retry_after=retry_after)


class Form:
    """The field errors of one request body, reported together as Discord's "Invalid Form Body" (50035)."""

    def __init__(self) -> None:
        self._errors: dict[str, Any] = {}

    def fault(self, path: Path, code: str, message: str) -> None:
        """Record one field error at `path`."""
        at = self._errors
        for step in path:
            at = at.setdefault(str(step), {})
        at.setdefault("_errors", []).append({"code": code, "message": message})

    def check(self) -> None:
        """Raise 50035 if any field error was recorded."""
        if self._errors:
            raise DiscordError(status=400, code=50035, message="Invalid Form Body", errors=self._errors)

    def text(self, path: Path, value: object, *, least: int = 0, most: int, needed: bool = False) -> None:
        """Check a string of `least` to `most` characters; None is valid unless the field is `needed`."""
        if value is None:
            if needed:
                self.fault(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not isinstance(value, str):
            self.fault(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
        elif not least <= len(value) <= most:
            if least == 0:
                self.fault(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
            else:
                self.fault(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def items(self, path: Path, value: object, *, least: int = 0, most: int) -> list[Any]:
        """Check and return a list of `least` to `most` entries; anything else gives an empty list."""
        if value is None:
            value = []
        if not isinstance(value, list):
            self.fault(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not least <= len(value) <= most:
            self.fault(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return value

    def objects(self, path: Path, value: object, *, least: int = 0, most: int) -> list[dict[str, Any]]:
        """Check a list of objects and return it without the entries that are not objects."""
        entries = self.items(path, value, least=least, most=most)
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                self.fault((*path, index), "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return [entry for entry in entries if isinstance(entry, dict)]

    def number(self, path: Path, value: object, *, least: int, most: int) -> None:
        """Check an integer in a range; None is valid."""
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif value < least:
            self.fault(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        elif value > most:
            self.fault(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")
