"""Typed client of Florin's REST interface."""

from ._async import AsyncPages
from ._core import UNSET, Options, ServerEvent, StreamOptions, Unset
from ._sync import Pages
from .client import AsyncClient, Client
from .errors import FlorinError
from .partner import PartnerTokens
from .session import Session, Tokens
from .wallet import Decision, LocalWallet, Wallet, format_amount
from .webhooks import Delivery, FeedChecker, WebhookVerifier, is_checkpoint, is_event

__all__ = [
    "UNSET",
    "AsyncClient",
    "AsyncPages",
    "Client",
    "Decision",
    "Delivery",
    "FeedChecker",
    "FlorinError",
    "LocalWallet",
    "Options",
    "Pages",
    "PartnerTokens",
    "ServerEvent",
    "Session",
    "StreamOptions",
    "Tokens",
    "Unset",
    "Wallet",
    "WebhookVerifier",
    "format_amount",
    "is_checkpoint",
    "is_event",
]
