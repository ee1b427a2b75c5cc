"""The session of a person: its tokens, which the client refreshes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Tokens:
    """Keep them where only your program can read them."""

    access_token: str
    refresh_token: str
    #: When the access token is refreshed, in seconds since 1970.
    refresh_at: float
    #: Absent while the wallet is not registered.
    user_id: str | None = None


class Session:
    """Holds the tokens in memory. `on_change` is called with those that replace them, for a program that stores them and passes them as `tokens` when it starts again."""

    def __init__(self, tokens: Tokens | None = None, on_change: Callable[[Tokens | None], None] | None = None) -> None:
        self._tokens = tokens
        self._on_change = on_change

    @property
    def tokens(self) -> Tokens | None:
        return self._tokens

    @property
    def is_signed_in(self) -> bool:
        return self._tokens is not None

    @property
    def user_id(self) -> str | None:
        return None if self._tokens is None else self._tokens.user_id

    def _set(self, tokens: Tokens | None) -> None:
        if tokens == self._tokens:
            return
        self._tokens = tokens
        if self._on_change is not None:
            self._on_change(tokens)

    def _adopt(self, answer: dict[str, object], now: float) -> None:
        """Takes over what a sign-in, a refresh or a registration returned; the last one leaves the refresh token as it is."""
        known = self._tokens
        user_id = answer.get("userId")
        expires_in = float(str(answer["expiresIn"]))
        # Half a minute before its end; of a short-lived token after nine tenths of its life.
        margin = min(30.0, expires_in / 10)
        refresh_token = answer.get("refreshToken") or (known.refresh_token if known is not None else "")
        self._set(
            Tokens(
                access_token=str(answer["accessToken"]),
                refresh_token=str(refresh_token),
                refresh_at=now + expires_in - margin,
                user_id=None if user_id is None else str(user_id),
            )
        )
