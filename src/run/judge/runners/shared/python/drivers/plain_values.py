"""What may pass between asserts and code under test: plain JSON values, and nothing that could stand in for one."""

import json

LONGEST_LINE = 8 * 1024 * 1024
DEEPEST = 100


def plain(value, depth=0):
    """The value as JSON knows it. Tuples become lists; whatever has no exact form is refused."""
    if depth > DEEPEST:
        raise TypeError("black box: a value is nested more than %d deep" % DEEPEST)
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in tuple(value)]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("black box: only dictionaries with text keys can pass between tests and code under test")
        return {plain(key): plain(item, depth + 1) for key, item in dict.items(value)}
    raise TypeError(
        "black box: a value of type %s cannot pass between tests and code under test; only plain JSON values can"
        % type(value).__name__
    )


def encode(message):
    data = json.dumps(message).encode() + b"\n"
    if len(data) > LONGEST_LINE:
        raise ValueError("black box: a value of more than %d bytes cannot pass" % LONGEST_LINE)
    return data
