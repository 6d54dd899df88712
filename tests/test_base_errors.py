"""The error hierarchy: classes, codes and texts of TensorFlow 2.21."""

from __future__ import annotations

import pickle
import traceback

import pytest

from pullback.base import errors

CODES = {
    "Cancelled": 1,
    "Unknown": 2,
    "InvalidArgument": 3,
    "DeadlineExceeded": 4,
    "NotFound": 5,
    "AlreadyExists": 6,
    "PermissionDenied": 7,
    "ResourceExhausted": 8,
    "FailedPrecondition": 9,
    "Aborted": 10,
    "OutOfRange": 11,
    "Unimplemented": 12,
    "Internal": 13,
    "Unavailable": 14,
    "DataLoss": 15,
    "Unauthenticated": 16,
}


@pytest.mark.parametrize("name", CODES)
def test_each_class(name: str) -> None:
    kind = getattr(errors, name + "Error")
    error = kind(None, None, "why")
    assert isinstance(error, errors.OpError) and not isinstance(error, (ValueError, TypeError, RuntimeError, LookupError))
    assert (error.error_code, error.message, str(error), error.op, error.node_def) == (CODES[name], "why", "why", None, None)
    assert (repr(error), error.args, error.experimental_payloads) == (f"{name}Error()", (), {})
    assert errors.exception_type_from_error_code(CODES[name]) is kind
    assert errors.error_code_from_exception_type(kind) == CODES[name]
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind and str(again) == "why"


def test_the_base_class_takes_its_code() -> None:
    error = errors.OpError(None, None, "m", 9)
    assert (error.error_code, str(error)) == (9, "m")
    assert pickle.loads(pickle.dumps(error)).error_code == 9
    with pytest.raises(TypeError, match="error_code"):
        errors.OpError(None, None, "m")  # type: ignore[call-arg]


def test_an_operation_shows_where_it_was_made() -> None:
    class Op:
        name = "c"
        traceback = traceback.StackSummary.from_list([("prog.py", 3, "main", "c = a / b")])

    text = str(errors.InvalidArgumentError("def", Op(), "why"))
    assert text.startswith("why\n\nOriginal stack trace for 'c':\n")
    assert 'File "prog.py", line 3, in main' in text and "c = a / b" in text


def test_payloads() -> None:
    assert errors.AbortedError(None, None, "m", {"k": "v"}).experimental_payloads == {"k": "v"}


def test_operator_not_allowed_is_a_type_error() -> None:
    assert errors.OperatorNotAllowedInGraphError.__mro__[1] is TypeError


def test_an_unknown_code() -> None:
    with pytest.raises(KeyError):
        errors.exception_type_from_error_code(77)
