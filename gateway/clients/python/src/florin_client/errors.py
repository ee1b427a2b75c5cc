"""The one error of this package."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FIELD = re.compile(r"([^:]+): (.*)", re.DOTALL)


class FlorinError(Exception):
    """Why something failed. Decide by `code`; nothing in it is secret.

    Besides the platform's codes there are those of this package. Of calls: `NETWORK_ERROR` (no response came), `TIMEOUT` and
    `UNEXPECTED_RESPONSE` (a proxy's page). Of texts to sign: `UNEXPECTED_TEXT`. Of webhooks: `HEADER_MISSING`, `HEADER_INVALID`,
    `TIMESTAMP_TOO_OLD`, `TIMESTAMP_TOO_NEW`, `SIGNATURE_INVALID`, `BODY_INVALID`, `ENDPOINT_MISMATCH` (answer 400) and `KEYS_UNAVAILABLE`
    (answer 503). Of feeds: `EVENT_CONFLICT`, `TOO_MANY_AHEAD`. A newer platform may send codes that this package does not know.
    """

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        status: int = 0,
        operation: str = "",
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        self.code = code
        self.message = message
        #: HTTP status; 0 without a response.
        self.status = status
        #: For example `cards.getCard`.
        self.operation = operation
        #: Id of the request in the platform's logs.
        self.request_id = request_id
        #: Seconds until the request may be repeated, where the platform says so.
        self.retry_after = retry_after
        #: Of `VALIDATION_FAILED`: what is wrong, by the name of the field.
        self.fields: Mapping[str, str] = _fields_of(message) if code == "VALIDATION_FAILED" else {}
        super().__init__(code, message, operation, request_id)

    def __str__(self) -> str:
        where = f"{self.operation}: " if self.operation else ""
        why = f" ({self.message})" if self.message else ""
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{where}{self.code}{why}{request}"


def _fields_of(message: str) -> dict[str, str]:
    """Messages of validation errors are `<path>: <problem>` for each field, separated by `; `."""
    matches = (_FIELD.fullmatch(part) for part in message.split("; "))
    return {match[1]: match[2] for match in matches if match}
