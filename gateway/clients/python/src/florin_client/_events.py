"""Server-sent events (WHATWG HTML, section 9.2.6)."""

from __future__ import annotations

import re
from typing import NamedTuple

#: Longest event, in characters. The platform's are a few thousand.
MAX_LENGTH = 1_000_000

_LINE_BREAK = re.compile(r"\r\n|\n|\r(?!$)")


class RawEvent(NamedTuple):
    id: str
    event: str
    data: str


class EventParser:
    """Reads events from text as it comes. Keeps the last id for events that have none, and drops a block that ends with the connection."""

    def __init__(self) -> None:
        self._rest = ""
        self._id = ""
        self._event = ""
        self._data: list[str] = []
        self._length = 0

    def feed(self, text: str) -> list[RawEvent]:
        """Raises ValueError for an event that is longer than any of the platform's."""
        *lines, self._rest = _LINE_BREAK.split(self._rest + text)
        events = [event for event in map(self._take, lines) if event is not None]
        if self._length + len(self._rest) > MAX_LENGTH:
            raise ValueError("an event of the stream is too long")
        return events

    def _take(self, line: str) -> RawEvent | None:
        if line == "":
            complete = RawEvent(self._id, self._event or "message", "\n".join(self._data)) if self._data else None
            self._event, self._data, self._length = "", [], 0
            return complete
        self._length += len(line)
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
        elif field == "id" and "\0" not in value:
            self._id = value
        return None
