"""Repeats, errors and streams, against responses that are made up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from florin_client import Client, FlorinError, Session, Tokens

Answer = httpx.Response | Exception


def open_client(answers: list[Answer], seen: list[httpx.Request], **more: object) -> Client:
    left = iter(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        answer = next(left)
        if isinstance(answer, Exception):
            raise answer
        return answer

    http = httpx.Client(transport=httpx.MockTransport(handle))
    options = {"token": "t", "sleep": lambda _: None, "http": http, **more}
    return Client("http://florin.test", **options)  # type: ignore[arg-type]


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, json={"success": False, "error": code}, headers=headers)


DONE = {"success": True}


def test_repeats_with_one_key() -> None:
    seen: list[httpx.Request] = []
    client = open_client([httpx.ConnectError("down"), problem(503, "SERVICE_UNAVAILABLE"), httpx.Response(200, json=DONE)], seen)
    client.auth.logout_all()
    assert len({request.headers["idempotency-key"] for request in seen}) == 1
    assert len({request.headers["x-request-id"] for request in seen}) == 1


@pytest.mark.parametrize(
    ("answers", "attempts"),
    [
        ([problem(429, "RATE_LIMITED", {"retry-after": "2"}), httpx.Response(200, json=DONE)], 2),
        ([problem(429, "CARD_DATA_LIMIT_REACHED", {"retry-after": "30000"})], 1),
        ([problem(409, "CARD_STATE_CONFLICT")], 1),
        ([problem(500, "INTERNAL_ERROR")], 1),
        ([httpx.ReadTimeout("slow")] * 4, 4),
    ],
)
def test_repeats_only_what_can_help(answers: list[Answer], attempts: int) -> None:
    seen: list[httpx.Request] = []
    client = open_client(answers, seen)
    try:
        client.auth.logout_all()
    except FlorinError as error:
        assert error.code != ""
    assert len(seen) == attempts


def test_a_sign_in_is_not_repeated() -> None:
    seen: list[httpx.Request] = []
    with pytest.raises(FlorinError, match="TIMEOUT"):
        open_client([httpx.ReadTimeout("slow")], seen).auth.sign_in(message="m", signature="0x00")
    assert len(seen) == 1 and "authorization" not in seen[0].headers and "idempotency-key" not in seen[0].headers


@pytest.mark.parametrize("response", [httpx.Response(200, text="<html>"), httpx.Response(302, headers={"location": "/"})])
def test_a_page_of_a_proxy_is_unexpected(response: httpx.Response) -> None:
    with pytest.raises(FlorinError) as caught:
        open_client([response], []).user.get_user()
    assert caught.value.code == "UNEXPECTED_RESPONSE"


def test_a_session_that_is_over_is_forgotten() -> None:
    session = Session(Tokens("a", "r", 0, "u"))
    client = open_client([problem(401, "INVALID_REFRESH_TOKEN"), problem(401, "UNAUTHORIZED")], [], token=None, session=session)
    with pytest.raises(FlorinError, match="UNAUTHORIZED"):
        client.user.get_user()
    assert session.tokens is None


def stream_of(*texts: str) -> httpx.Response:
    class Body(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            for text in texts:
                yield text.encode()
            raise httpx.ReadError("broken")

    return httpx.Response(200, stream=Body())


def test_a_stream_goes_on_after_the_last_event() -> None:
    seen: list[httpx.Request] = []
    states: list[str] = []
    on_state: Callable[[str, Exception | None], None] = lambda state, _: states.append(state)
    answers: list[Answer] = [
        stream_of('id: a\nevent: ready\ndata: {"n":', '1}\n\nid: b\nevent: challenge\n'),
        problem(503, "SERVICE_UNAVAILABLE"),
        stream_of('id: c\nevent: challenge\ndata: {"n":2}\n\n', "event: end\ndata: {}\n\n"),
        problem(401, "UNAUTHORIZED"),
    ]
    events = open_client(answers, seen).three_ds.watch_challenges(options={"on_state": on_state})
    assert [next(events)[:2], next(events)[:2]] == [("a", "ready"), ("c", "challenge")]
    with pytest.raises(FlorinError, match="UNAUTHORIZED"):
        next(events)
    assert [request.headers.get("last-event-id") for request in seen] == [None, "a", "a", "c"]
    assert states == ["open", "waiting", "waiting", "open", "waiting"]
