"""The client without input and output: generators that yield what is to be done, which `_sync` and `_async` do."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, urlencode

from ._events import EventParser
from .errors import FlorinError
from .session import Session

#: How a failed attempt is repeated, and how streams are opened again: first and longest pause, in seconds.
MAX_PAUSE = 8.0
FIRST_RECONNECT, MAX_RECONNECT = 1.0, 30.0
#: The platform sends something every 15 seconds.
SILENCE = 45.0
#: The longest `Retry-After` of a stream that is believed.
MAX_RETRY_AFTER = 300.0
#: A used refresh token returns the same pair for ten seconds, after which it would end the session.
REFRESH_WITHIN = 8.0

STARTS = frozenset({"auth.signIn", "auth.refreshSession", "user.registerUser"})
ENDS = frozenset({"auth.logout", "auth.logoutAll", "user.eraseUser"})


class Unset:
    """Of a field that may be null: it is left as it is."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


class Options(TypedDict, total=False):
    """Of one call."""

    #: Key of a mutation; default: a new one per call, which all of its attempts share. Choose one to repeat the call after the program was started again.
    idempotency_key: str
    #: Longest time of one attempt, in seconds.
    timeout: float
    #: How often a failed attempt is repeated.
    retries: int
    headers: Mapping[str, str]


class StreamOptions(TypedDict, total=False):
    """Of one stream."""

    #: Id of the last event that was read earlier: the stream goes on after it.
    last_event_id: str
    #: Called with `open`, and with `waiting` and the reason when the connection was lost.
    on_state: Callable[[str, Exception | None], None]


class ServerEvent(NamedTuple):
    """One event of a stream."""

    #: The `last_event_id` that resumes after this event.
    id: str
    event: str
    data: Any


class Route(NamedTuple):
    """How an operation is sent. Flags: `s` takes a token, `b` has a body, `e` is a stream of events, `c` is answered by a table as text."""

    name: str
    method: str
    path: str
    flags: str
    #: The members that go into the query although there is a body.
    in_query: tuple[str, ...]

    @property
    def is_keyed(self) -> bool:
        return self.method != "GET" and "s" in self.flags


class Request(NamedTuple):
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout: float | None


class Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True)
class Send:
    """Sends a request, and reads the response. Raises Fault."""

    request: Request


@dataclass(frozen=True)
class Open:
    """Sends a request, and reads the response only if it is an error. Raises Fault."""

    request: Request


@dataclass(frozen=True)
class Read:
    """Reads more of what was opened; empty at its end. Raises Fault."""


@dataclass(frozen=True)
class Close:
    """Closes what was opened."""


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Ask:
    """Calls a function of the caller's; in the asynchronous client it may be a coroutine."""

    function: Callable[[], Any]


@dataclass(frozen=True)
class Acquire:
    """Waits until no other call refreshes the tokens."""


@dataclass(frozen=True)
class Release:
    pass


@dataclass(frozen=True)
class Emit:
    event: ServerEvent


Effect = Send | Open | Read | Close | Sleep | Ask | Acquire | Release | Emit
Steps = Generator[Effect, Any, Any]


class Fault(Exception):
    """No response, or not all of it. The code is NETWORK_ERROR or TIMEOUT."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def backoff(failures: int, first: float, longest: float) -> float:
    """Doubles with each failure up to a maximum, and is random in its upper half, so that clients do not return together."""
    return float(min(first * 2 ** min(failures - 1, 16), longest) * (0.5 + random.random() / 2))


def build_url(route: Route, given: Mapping[str, Any]) -> tuple[str, bytes | None]:
    """The path with its query, and the body."""
    in_path: set[str] = set()

    def segment(match: re.Match[str]) -> str:
        name = match[1]
        in_path.add(name)
        text = str(given[name])
        if text in ("", ".", ".."):
            raise ValueError(f"{name} must not be empty or dots")
        return quote(text, safe="")

    path = re.sub(r"\{(\w+)\}", segment, route.path)
    has_body = "b" in route.flags
    query: list[tuple[str, str]] = []
    body: dict[str, Any] = {}
    for name, value in given.items():
        if name in in_path:
            continue
        if has_body and name not in route.in_query:
            body[name] = value
        else:
            query.append((name, str(value).lower() if isinstance(value, bool) else str(value)))
    content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() if has_body else None
    return (f"{path}?{urlencode(query)}" if query else path), content


def error_of(route: Route, request_id: str, response: Response) -> FlorinError:
    """The error in a response, in one of the platform's two shapes."""
    code, message = "UNEXPECTED_RESPONSE", ""
    try:
        error = json.loads(response.text).get("error")
        if isinstance(error, str):
            code = error
        elif isinstance(error, dict) and isinstance(error.get("message"), str):
            code, message = "VALIDATION_FAILED", error["message"]
    except (ValueError, AttributeError):
        pass
    # Beside a code, a header says why: of a token, or in the title of the link to the catalogue.
    reason = re.search(r'error_description="([^"]+)"', response.headers.get("www-authenticate", "")) or re.search(
        r'title="([^"]+)"', response.headers.get("link", "")
    )
    if not message and reason:
        message = reason[1]
    seconds = response.headers.get("retry-after", "")
    return FlorinError(
        code,
        message,
        status=response.status,
        operation=route.name,
        request_id=response.headers.get("x-request-id", request_id),
        retry_after=float(seconds) if re.fullmatch(r"\d{1,9}", seconds) else None,
    )


def next_page(page: Mapping[str, Any]) -> dict[str, str] | None:
    """What changes in the query of the next page; None after the last."""
    pagination = page.get("pagination")
    if pagination is not None:
        return {"cursor": pagination["nextCursor"]} if pagination["hasNext"] and pagination["nextCursor"] else None
    return {"after": page["cursor"]} if page.get("hasMore") and page.get("cursor") else None


@dataclass
class Core:
    """What all calls of a client share."""

    url: str
    routes: Mapping[str, Route]
    session: Session
    #: Gives the token of each request, instead of the session.
    token: Callable[[], Any] | None = None
    timeout: float = 20.0
    retries: int = 3
    retry_pause: float = 0.5
    #: The longest `Retry-After` that is waited for.
    max_retry_after: float = 10.0
    headers: Mapping[str, str] = field(default_factory=dict)

    def call(self, name: str, given: Mapping[str, Any], options: Options | None = None) -> Steps:
        """Performs an operation: with tokens and repeats. Returns the parsed response, or its text if it is a table."""
        route = self.routes[name]
        opts = options or {}
        build = self._requests(route, given, opts)
        response: Response = yield from self._repeated(route, build, opts.get("retries", self.retries))
        answer: Any = response.text if "c" in route.flags else self._parsed(route, build.request_id, response)
        if route.name in STARTS:
            self.session._adopt(dict(answer), time.time())
        elif route.name in ENDS:
            self.session._set(None)
        return answer

    def watch(self, name: str, given: Mapping[str, Any], options: StreamOptions | None = None) -> Steps:
        """Emits the events of a stream, and connects again where it was lost. The event `end`, by which the platform announces the end of a connection, is not passed on."""
        route = self.routes[name]
        opts = options or {}
        on_state: Callable[[str, Exception | None], None] = opts.get("on_state") or (lambda _state, _error: None)
        last_id = opts.get("last_event_id", "")
        failures = 0
        while True:
            failures += 1
            reason: Exception | None = None
            least = 0.0
            build = self._requests(route, given, {"headers": {"last-event-id": last_id} if last_id else {}})
            try:
                yield from self._attempt(route, build)
                on_state("open", None)
                parser = EventParser()
                is_over = False
                while not is_over and (text := (yield Read())):
                    for raw in parser.feed(text):
                        failures = 0
                        if raw.event == "end":
                            is_over = True
                            break
                        last_id = raw.id
                        yield Emit(ServerEvent(raw.id, raw.event, json.loads(raw.data)))
            except FlorinError as error:
                if error.status != 429 and 0 < error.status < 500:
                    raise
                least = min(error.retry_after or 0.0, MAX_RETRY_AFTER)
                reason = error
            except (Fault, ValueError) as error:
                reason = error
            yield Close()
            on_state("waiting", reason)
            yield Sleep(least + backoff(max(failures, 1), FIRST_RECONNECT, MAX_RECONNECT))

    def end_session(self) -> Steps:
        """Logs out. The tokens are forgotten in any case."""
        try:
            yield from self.call("auth.logout", {})
        finally:
            self.session._set(None)

    def _requests(self, route: Route, given: Mapping[str, Any], options: Options) -> _Requests:
        path, content = build_url(route, {name: value for name, value in given.items() if value is not UNSET})
        request_id = str(uuid.uuid4())
        accept = "text/event-stream" if "e" in route.flags else "text/csv" if "c" in route.flags else "application/json"
        # One key and one id for all attempts of the call.
        headers = {
            "accept": accept,
            "x-request-id": request_id,
            **({} if content is None else {"content-type": "application/json"}),
            **({"idempotency-key": options.get("idempotency_key") or str(uuid.uuid4())} if route.is_keyed else {}),
            **self.headers,
            **options.get("headers", {}),
        }
        # A stream is given up after a silence; a table takes as long as it takes.
        timeout = SILENCE if "e" in route.flags else None if "c" in route.flags else options.get("timeout", self.timeout)
        return _Requests(Request(route.method, self.url + path, headers, content, timeout), request_id)

    def _repeated(self, route: Route, build: _Requests, retries: int) -> Steps:
        began = time.monotonic()
        within = REFRESH_WITHIN if route.name == "auth.refreshSession" else float("inf")
        is_repeatable = route.method == "GET" or route.is_keyed or within < float("inf")
        failures = 0
        while True:
            try:
                return (yield from self._attempt(route, build))
            except FlorinError as error:
                failures += 1
                if error.operation != route.name or failures > retries or not self._can_repeat(error, is_repeatable):
                    raise
                pause = (error.retry_after or 0.0) + backoff(failures, self.retry_pause, MAX_PAUSE)
                if time.monotonic() - began + pause > within:
                    raise
            yield Sleep(pause)

    def _can_repeat(self, error: FlorinError, is_repeatable: bool) -> bool:
        if error.retry_after is not None and error.retry_after > self.max_retry_after:
            return False
        # These two were rejected before anything was done.
        if error.status == 429:
            return error.retry_after is not None
        if error.code == "IDEMPOTENCY_IN_PROGRESS":
            return True
        return is_repeatable and (error.code in ("NETWORK_ERROR", "TIMEOUT") or error.status in (502, 503, 504))

    def _attempt(self, route: Route, build: _Requests) -> Steps:
        """One attempt, and another one with a new token if the token was rejected."""
        if "s" not in route.flags:
            return (yield from self._once(route, build, None))
        token = yield from self._token(None)
        try:
            return (yield from self._once(route, build, token))
        except FlorinError as error:
            if token is None or error.code != "UNAUTHORIZED":
                raise
            renewed = yield from self._token(token)
            if renewed is None or renewed == token:
                raise
        return (yield from self._once(route, build, renewed))

    def _once(self, route: Route, build: _Requests, token: str | None) -> Steps:
        request = build.request
        if token is not None:
            request = request._replace(headers={"authorization": f"Bearer {token}", **request.headers})
        try:
            response: Response = yield (Open(request) if "e" in route.flags else Send(request))
        except Fault as fault:
            raise FlorinError(fault.code, operation=route.name, request_id=build.request_id) from fault
        if 200 <= response.status < 300:
            return response
        raise error_of(route, build.request_id, response)

    def _token(self, rejected: str | None) -> Steps:
        """The token of a request, another one than the rejected one; None without a session."""
        if self.token is not None:
            return (yield Ask(self.token))
        if self._is_fresh(rejected):
            return self._current()
        yield Acquire()
        try:
            # Another call may just have refreshed.
            if not self._is_fresh(rejected):
                yield from self._refresh()
        finally:
            yield Release()
        return self._current()

    def _current(self) -> str | None:
        tokens = self.session.tokens
        return None if tokens is None else tokens.access_token

    def _is_fresh(self, rejected: str | None) -> bool:
        tokens = self.session.tokens
        if tokens is None:
            return True
        return tokens.refresh_at > time.time() if rejected is None else tokens.access_token != rejected

    def _refresh(self) -> Steps:
        tokens = self.session.tokens
        if tokens is None:
            return
        try:
            yield from self.call("auth.refreshSession", {"refreshToken": tokens.refresh_token})
        except FlorinError as error:
            if error.status != 401:
                raise
            self.session._set(None)

    def _parsed(self, route: Route, request_id: str, response: Response) -> Any:
        try:
            return json.loads(response.text)
        except ValueError as error:
            unexpected = FlorinError("UNEXPECTED_RESPONSE", status=response.status, operation=route.name, request_id=request_id)
            raise unexpected from error


class _Requests(NamedTuple):
    request: Request
    request_id: str
