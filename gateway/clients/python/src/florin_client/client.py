"""The two clients."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType

import httpx

from . import wallet as signing
from ._async import Runner as AsyncRunner
from ._core import Core
from ._sync import Runner
from .generated.async_operations import Operations as AsyncOperations
from .generated.operations import Operations
from .generated.routes import ROUTES
from .generated.types import ThreeDSChallenge
from .session import Session
from .wallet import Decision, Wallet


def _core(
    url: str,
    session: Session | None,
    token: str | Callable[[], object] | None,
    timeout: float,
    retries: int,
    retry_pause: float,
    max_retry_after: float,
    headers: Mapping[str, str] | None,
) -> Core:
    source = (lambda: token) if isinstance(token, str) else token
    return Core(
        url.rstrip("/"), ROUTES, session or Session(), source, timeout, retries, retry_pause, max_retry_after, headers or {}
    )


class Client(Operations):
    """The operations by group, for example `client.cards.list_cards()`. Threads may share it. It sends nothing before its first call."""

    def __init__(
        self,
        url: str,
        *,
        session: Session | None = None,
        token: str | Callable[[], str] | None = None,
        timeout: float = 20.0,
        retries: int = 3,
        retry_pause: float = 0.5,
        max_retry_after: float = 10.0,
        headers: Mapping[str, str] | None = None,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`token` gives the token of each request, instead of a session. `http` is used, and not closed, instead of a client of its own."""
        core = _core(url, session, token, timeout, retries, retry_pause, max_retry_after, headers)
        self._own = httpx.Client() if http is None else None
        self._run = Runner(core, http or self._own or httpx.Client(), sleep)
        self.session = core.session
        super().__init__(self._run)

    def sign_in(self, wallet: Wallet, *, domain: str, uri: str) -> str | None:
        """Signs in with a wallet, after every line of the message was checked. The session begins. Returns the user's id; None while the wallet is not registered."""
        user_id: str | None = self._run.run(signing.sign_in(self._run.core, wallet, domain, uri))
        return user_id

    def decide(self, wallet: Wallet, challenge: ThreeDSChallenge, decision: Decision) -> ThreeDSChallenge:
        """Approves or declines a card payment. The wallet is not asked unless every line of the text fits the challenge as the person was shown it."""
        decided: ThreeDSChallenge = self._run.run(signing.decide(self._run.core, wallet, challenge, decision))
        return decided

    def end_session(self) -> None:
        """Logs out. The tokens are forgotten in any case."""
        self._run.run(self._run.core.end_session())

    def close(self) -> None:
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """The same for asyncio: calls are awaited, lists and streams are read with `async for`."""

    def __init__(
        self,
        url: str,
        *,
        session: Session | None = None,
        token: str | Callable[[], str | Awaitable[str]] | None = None,
        timeout: float = 20.0,
        retries: int = 3,
        retry_pause: float = 0.5,
        max_retry_after: float = 10.0,
        headers: Mapping[str, str] | None = None,
        http: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        core = _core(url, session, token, timeout, retries, retry_pause, max_retry_after, headers)
        self._own = httpx.AsyncClient() if http is None else None
        self._run = AsyncRunner(core, http or self._own or httpx.AsyncClient(), sleep)
        self.session = core.session
        super().__init__(self._run)

    async def sign_in(self, wallet: Wallet, *, domain: str, uri: str) -> str | None:
        """As of `Client`."""
        user_id: str | None = await self._run.run(signing.sign_in(self._run.core, wallet, domain, uri))
        return user_id

    async def decide(self, wallet: Wallet, challenge: ThreeDSChallenge, decision: Decision) -> ThreeDSChallenge:
        """As of `Client`."""
        decided: ThreeDSChallenge = await self._run.run(signing.decide(self._run.core, wallet, challenge, decision))
        return decided

    async def end_session(self) -> None:
        """As of `Client`."""
        await self._run.run(self._run.core.end_session())

    async def aclose(self) -> None:
        if self._own is not None:
            await self._own.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
