"""The names of `pullback.compat.v2.errors`, written by docs/make_exports.py."""

from pullback.base.errors import ABORTED
from pullback.base.errors import ALREADY_EXISTS
from pullback.base.errors import AbortedError
from pullback.base.errors import AlreadyExistsError
from pullback.base.errors import CANCELLED
from pullback.base.errors import CancelledError
from pullback.base.errors import DATA_LOSS
from pullback.base.errors import DEADLINE_EXCEEDED
from pullback.base.errors import DataLossError
from pullback.base.errors import DeadlineExceededError
from pullback.base.errors import FAILED_PRECONDITION
from pullback.base.errors import FailedPreconditionError
from pullback.base.errors import INTERNAL
from pullback.base.errors import INVALID_ARGUMENT
from pullback.base.errors import InternalError
from pullback.base.errors import InvalidArgumentError
from pullback.base.errors import NOT_FOUND
from pullback.base.errors import NotFoundError
from pullback.base.errors import OK
from pullback.base.errors import OUT_OF_RANGE
from pullback.base.errors import OpError
from pullback.base.errors import OperatorNotAllowedInGraphError
from pullback.base.errors import OutOfRangeError
from pullback.base.errors import PERMISSION_DENIED
from pullback.base.errors import PermissionDeniedError
from pullback.base.errors import RESOURCE_EXHAUSTED
from pullback.base.errors import ResourceExhaustedError
from pullback.base.errors import UNAUTHENTICATED
from pullback.base.errors import UNAVAILABLE
from pullback.base.errors import UNIMPLEMENTED
from pullback.base.errors import UNKNOWN
from pullback.base.errors import UnauthenticatedError
from pullback.base.errors import UnavailableError
from pullback.base.errors import UnimplementedError
from pullback.base.errors import UnknownError

__all__ = [
    "ABORTED",
    "ALREADY_EXISTS",
    "AbortedError",
    "AlreadyExistsError",
    "CANCELLED",
    "CancelledError",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "DataLossError",
    "DeadlineExceededError",
    "FAILED_PRECONDITION",
    "FailedPreconditionError",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "InternalError",
    "InvalidArgumentError",
    "NOT_FOUND",
    "NotFoundError",
    "OK",
    "OUT_OF_RANGE",
    "OpError",
    "OperatorNotAllowedInGraphError",
    "OutOfRangeError",
    "PERMISSION_DENIED",
    "PermissionDeniedError",
    "RESOURCE_EXHAUSTED",
    "ResourceExhaustedError",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
]
