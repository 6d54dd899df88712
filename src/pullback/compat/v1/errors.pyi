"""The names of `pullback.compat.v1.errors`, written by docs/make_exports.py."""

from pullback.base.errors import ABORTED as ABORTED
from pullback.base.errors import ALREADY_EXISTS as ALREADY_EXISTS
from pullback.base.errors import AbortedError as AbortedError
from pullback.base.errors import AlreadyExistsError as AlreadyExistsError
from pullback.base.errors import CANCELLED as CANCELLED
from pullback.base.errors import CancelledError as CancelledError
from pullback.base.errors import DATA_LOSS as DATA_LOSS
from pullback.base.errors import DEADLINE_EXCEEDED as DEADLINE_EXCEEDED
from pullback.base.errors import DataLossError as DataLossError
from pullback.base.errors import DeadlineExceededError as DeadlineExceededError
from pullback.base.errors import FAILED_PRECONDITION as FAILED_PRECONDITION
from pullback.base.errors import FailedPreconditionError as FailedPreconditionError
from pullback.base.errors import INTERNAL as INTERNAL
from pullback.base.errors import INVALID_ARGUMENT as INVALID_ARGUMENT
from pullback.base.errors import InternalError as InternalError
from pullback.base.errors import InvalidArgumentError as InvalidArgumentError
from pullback.base.errors import NOT_FOUND as NOT_FOUND
from pullback.base.errors import NotFoundError as NotFoundError
from pullback.base.errors import OK as OK
from pullback.base.errors import OUT_OF_RANGE as OUT_OF_RANGE
from pullback.base.errors import OpError as OpError
from pullback.base.errors import OutOfRangeError as OutOfRangeError
from pullback.base.errors import PERMISSION_DENIED as PERMISSION_DENIED
from pullback.base.errors import PermissionDeniedError as PermissionDeniedError
from pullback.base.errors import RESOURCE_EXHAUSTED as RESOURCE_EXHAUSTED
from pullback.base.errors import ResourceExhaustedError as ResourceExhaustedError
from pullback.base.errors import UNAUTHENTICATED as UNAUTHENTICATED
from pullback.base.errors import UNAVAILABLE as UNAVAILABLE
from pullback.base.errors import UNIMPLEMENTED as UNIMPLEMENTED
from pullback.base.errors import UNKNOWN as UNKNOWN
from pullback.base.errors import UnauthenticatedError as UnauthenticatedError
from pullback.base.errors import UnavailableError as UnavailableError
from pullback.base.errors import UnimplementedError as UnimplementedError
from pullback.base.errors import UnknownError as UnknownError
from pullback.base.errors import error_code_from_exception_type as error_code_from_exception_type
from pullback.base.errors import exception_type_from_error_code as exception_type_from_error_code

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
    "error_code_from_exception_type",
    "exception_type_from_error_code",
]
