"""An output validator: compares standard input with the answer file, a JSON object that `problem_judge.datasets` writes.

`any`: the accepted outputs, compared token by token. `value`: the expected JSON value.
"""

import json
import math
import sys

ACCEPTED, REJECTED = 42, 43


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_same(found, expected, tolerance):
    """True for equal values. Unlike in Python, a boolean is not a number. Integers are compared exactly."""
    if is_number(found) and is_number(expected):
        # Python compares an integer and a float exactly, whereas `isclose` would round a large integer.
        if found == expected or not tolerance or isinstance(found, int) and isinstance(expected, int):
            return found == expected
        return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)
    if type(found) is not type(expected):
        return False
    if isinstance(expected, list):
        return len(found) == len(expected) and all(is_same(one, other, tolerance) for one, other in zip(found, expected))
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(is_same(found[key], expected[key], tolerance) for key in expected)
    return found == expected


def number(token):
    try:
        return float(token)
    except ValueError:
        return None


def is_same_text(found, expected, tolerance):
    found, expected = found.split(), expected.split()
    if len(found) != len(expected):
        return False
    for one, other in zip(found, expected):
        numbers = number(one), number(other)
        if one != other and (not tolerance or None in numbers or not math.isclose(*numbers, rel_tol=tolerance, abs_tol=tolerance)):
            return False
    return True


def is_accepted(output, answer):
    tolerance = answer["tolerance"]
    if "any" in answer:
        return any(is_same_text(output, accepted, tolerance) for accepted in answer["any"])
    # The text is untrusted: it may be invalid JSON, contain several values, or be nested too deeply.
    try:
        return is_same(json.loads(output), answer["value"], tolerance)
    except (ValueError, OverflowError, RecursionError):
        return False


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        answer = json.load(file)
    output = sys.stdin.buffer.read().decode(errors="replace")
    return ACCEPTED if output.strip() and is_accepted(output, answer) else REJECTED


if __name__ == "__main__":
    sys.exit(main())
