"""A check for schemathesis: a request that the document allows is not a validation error, except by a listed business rule."""

import json
import os
import re

import schemathesis
from schemathesis.generation import GenerationMode

RULES = json.loads(os.environ["BUSINESS_RULES"])
COMMON_RULE = os.environ["COMMON_RULE"]


@schemathesis.check
def allowed_request_is_no_validation_error(ctx, response, case):
    meta = case.meta
    if response.status_code != 422 or meta is None or meta.generation.mode is not GenerationMode.POSITIVE:
        return
    body = json.loads(response.content)
    if body.get("kind") != "validation":
        return
    name = case.operation.definition.raw.get("operationId", "")
    rule = f"{COMMON_RULE}|{RULES[name]}" if name in RULES else COMMON_RULE
    unexplained = [text for text in body["error"]["message"].split("; ") if not re.search(rule, text)]
    if unexplained:
        raise AssertionError("a request that the document allows is rejected: " + "; ".join(unexplained))
