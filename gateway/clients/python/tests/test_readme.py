"""The blocks of the README are one program that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_blocks_of_the_readme_run(url: str, partner_key: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    program = compile("\n".join(blocks), str(README), "exec")
    exec(program, {"__name__": "__main__"})
    said = capsys.readouterr().out.split("\n")
    assert re.fullmatch(r"\d{4}", said[0])
    assert said[1:4] == ["approved", "CARD_NOT_FOUND 404", "0"]
    assert said[-3:] == ["complete", "TIMESTAMP_TOO_OLD", ""]
