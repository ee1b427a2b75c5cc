"""Does what `_core` yields, with httpx's client for asyncio."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
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
from ._sync import faults, joined

T = TypeVar("T")
Row = TypeVar("Row")
Page = TypeVar("Page")


class Runner:
    """Runs steps one after the other."""

    def __init__(self, core: Core, http: httpx.AsyncClient, sleep: Callable[[float], Awaitable[None]]) -> None:
        self.core = core
        self._http = http
        self._sleep = sleep
        self._lock = asyncio.Lock()

    async def run(self, steps: Steps) -> Any:
        return await self._drive(steps, None)

    async def events(self, steps: Steps) -> AsyncIterator[ServerEvent]:
        stream = _Stream()
        try:
            while True:
                event = await self._drive(steps, stream)
                if not isinstance(event, ServerEvent):
                    return
                yield event
        finally:
            await stream.close()

    async def _drive(self, steps: Steps, stream: _Stream | None) -> Any:
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
                result = await self._perform(effect, stream)
            except BaseException as raised:
                error = raised

    async def _perform(self, effect: Effect, stream: _Stream | None) -> Any:
        if isinstance(effect, Send):
            return await self._send(effect.request)
        if isinstance(effect, Sleep):
            return await self._sleep(effect.seconds)
        if isinstance(effect, Ask):
            answer = effect.function()
            return await answer if inspect.isawaitable(answer) else answer
        if isinstance(effect, Acquire):
            return await self._lock.acquire()
        if isinstance(effect, Release):
            return self._lock.release()
        assert stream is not None
        if isinstance(effect, Open):
            return await stream.open(self._http, effect.request)
        return await stream.read() if isinstance(effect, Read) else await stream.close()

    async def _send(self, request: Request) -> Response:
        with faults():
            built = self._http.build_request(
                request.method, request.url, headers=dict(request.headers), content=request.content, timeout=request.timeout
            )
            response = await self._http.send(built, follow_redirects=False)
            return Response(response.status_code, response.headers, response.text)


class _Stream:
    """The one response that is open."""

    def __init__(self) -> None:
        self._response: httpx.Response | None = None
        self._texts: AsyncIterator[str] | None = None

    async def open(self, http: httpx.AsyncClient, request: Request) -> Response:
        with faults():
            built = http.build_request(request.method, request.url, headers=dict(request.headers), timeout=request.timeout)
            self._response = await http.send(built, stream=True, follow_redirects=False)
            is_error = not self._response.is_success
            text = (await self._response.aread()).decode("utf-8", "replace") if is_error else ""
            self._texts = None if is_error else self._response.aiter_text()
            return Response(self._response.status_code, self._response.headers, text)

    async def read(self) -> str:
        with faults():
            while self._texts is not None:
                text = await anext(self._texts, None)
                if text is None:
                    return ""
                if text:
                    return text
            return ""

    async def close(self) -> None:
        if self._response is not None:
            await self._response.aclose()
            self._response = None


class AsyncPages(Generic[Row, Page]):
    """A list. Iterating reads the rows of all pages; nothing is read before."""

    def __init__(self, read: Callable[[Mapping[str, str]], Awaitable[Any]]) -> None:
        self._read = read

    async def first(self) -> Page:
        """The first page."""
        page: Page = await self._read({})
        return page

    async def pages(self) -> AsyncIterator[Page]:
        changed: Mapping[str, str] | None = {}
        while changed is not None:
            page = await self._read(changed)
            yield page
            changed = next_page(page)

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for page in self.pages():
            for row in page["data"]:  # type: ignore[index]
                yield row


class Group:
    """Operations of one tag."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def _call(self, name: str, given: Mapping[str, Any], optional: Mapping[str, Any], options: Options | None) -> T:
        result: T = await self._runner.run(self._runner.core.call(name, joined(given, optional), options))
        return result

    def _pages(
        self, name: str, given: Mapping[str, Any], optional: Mapping[str, Any], options: Options | None
    ) -> Callable[[Mapping[str, str]], Awaitable[Any]]:
        both = joined(given, optional)
        return lambda changed: self._runner.run(self._runner.core.call(name, {**both, **changed}, options))

    def _watch(
        self, name: str, given: Mapping[str, Any], optional: Mapping[str, Any], options: StreamOptions | None
    ) -> AsyncIterator[ServerEvent]:
        return self._runner.events(self._runner.core.watch(name, joined(given, optional), options))
