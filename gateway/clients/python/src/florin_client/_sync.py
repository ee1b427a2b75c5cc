"""Does what `_core` yields, with httpx's client."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Generic, TypeVar

import httpx

from ._core import (
    Acquire,
    Ask,
    Close,
    Core,
    Effect,
    Emit,
    Fault,
    Open,
    Options,
    Read,
    Release,
    Request,
    Response,
    Send,
    ServerEvent,
    Sleep,
    Steps,
    StreamOptions,
    next_page,
)

T = TypeVar("T")
Row = TypeVar("Row")
Page = TypeVar("Page")


class Runner:
    """Runs steps one after the other."""

    def __init__(self, core: Core, http: httpx.Client, sleep: Callable[[float], None]) -> None:
        self.core = core
        self._http = http
        self._sleep = sleep
        self._lock = threading.Lock()

    def run(self, steps: Steps) -> Any:
        return self._drive(steps, None)

    def events(self, steps: Steps) -> Iterator[ServerEvent]:
        stream = _Stream()
        try:
            while True:
                event = self._drive(steps, stream)
                if not isinstance(event, ServerEvent):
                    return
                yield event
        finally:
            stream.close()

    def _drive(self, steps: Steps, stream: _Stream | None) -> Any:
        """Returns what the steps return, or the next event that they emit."""
        result: Any = None
        error: BaseException | None = None
        while True:
            try:
                effect = steps.send(result) if error is None else steps.throw(error)
            except StopIteration as done:
                return done.value
            result, error = None, None
            if isinstance(effect, Emit):
                return effect.event
            try:
                result = self._perform(effect, stream)
            except BaseException as raised:
                error = raised

    def _perform(self, effect: Effect, stream: _Stream | None) -> Any:
        if isinstance(effect, Send):
            return self._send(effect.request)
        if isinstance(effect, Sleep):
            return self._sleep(effect.seconds)
        if isinstance(effect, Ask):
            return effect.function()
        if isinstance(effect, Acquire):
            return self._lock.acquire()
        if isinstance(effect, Release):
            return self._lock.release()
        assert stream is not None
        if isinstance(effect, Open):
            return stream.open(self._http, effect.request)
        return stream.read() if isinstance(effect, Read) else stream.close()

    def _send(self, request: Request) -> Response:
        with faults():
            built = self._http.build_request(
                request.method, request.url, headers=dict(request.headers), content=request.content, timeout=request.timeout
            )
            response = self._http.send(built, follow_redirects=False)
            return Response(response.status_code, response.headers, response.text)


class _Stream:
    """The one response that is open."""

    def __init__(self) -> None:
        self._response: httpx.Response | None = None
        self._texts: Iterator[str] = iter(())

    def open(self, http: httpx.Client, request: Request) -> Response:
        with faults():
            built = http.build_request(request.method, request.url, headers=dict(request.headers), timeout=request.timeout)
            self._response = http.send(built, stream=True, follow_redirects=False)
            is_error = not self._response.is_success
            text = self._response.read().decode("utf-8", "replace") if is_error else ""
            self._texts = iter(()) if is_error else self._response.iter_text()
            return Response(self._response.status_code, self._response.headers, text)

    def read(self) -> str:
        with faults():
            for text in self._texts:
                if text:
                    return text
            return ""

    def close(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None


class faults:
    """Turns errors of httpx into faults."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, httpx.TimeoutException):
            raise Fault("TIMEOUT") from error
        if isinstance(error, (httpx.TransportError, httpx.DecodingError)):
            raise Fault("NETWORK_ERROR") from error


class Pages(Generic[Row, Page]):
    """A list. Iterating reads the rows of all pages; nothing is read before."""

    def __init__(self, read: Callable[[Mapping[str, str]], Any]) -> None:
        self._read = read

    def first(self) -> Page:
        """The first page."""
        page: Page = self._read({})
        return page

    def pages(self) -> Iterator[Page]:
        changed: Mapping[str, str] | None = {}
        while changed is not None:
            page = self._read(changed)
            yield page
            changed = next_page(page)

    def __iter__(self) -> Generator[Row, None, None]:
        for page in self.pages():
            yield from page["data"]  # type: ignore[index]


class Group:
    """Operations of one tag."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def _call(self, name: str, given: Mapping[str, Any], optional: Mapping[str, Any], options: Options | None) -> T:  # type: ignore[type-var]
        result: T = self._runner.run(self._runner.core.call(name, joined(given, optional), options))
        return result

    def _pages(
        self, name: str, given: Mapping[str, Any], optional: Mapping[str, Any], options: Options | None
    ) -> Callable[[Mapping[str, str]], Any]:
        both = joined(given, optional)
        return lambda changed: self._runner.run(self._runner.core.call(name, {**both, **changed}, options))

    def _watch(
        self, name: str, given: Mapping[str, Any], optional: Mapping[str, Any], options: StreamOptions | None
    ) -> Iterator[ServerEvent]:
        return self._runner.events(self._runner.core.watch(name, joined(given, optional), options))


def joined(given: Mapping[str, Any], optional: Mapping[str, Any]) -> dict[str, Any]:
    return {**given, **{name: value for name, value in optional.items() if value is not None}}
