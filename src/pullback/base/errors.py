"""The errors that programs catch, as TensorFlow's `tf.errors` has them.

    Exception
    +-- OpError                      an operation failed while it ran; code in brackets
    |   +-- CancelledError           [1]   the run was stopped
    |   +-- UnknownError             [2]   from outside, with no better class
    |   +-- InvalidArgumentError     [3]   a shape, a range or a feed does not fit
    |   +-- DeadlineExceededError    [4]   a time limit passed
    |   +-- NotFoundError            [5]   no such file or checkpoint entry
    |   +-- AlreadyExistsError       [6]   made twice
    |   +-- PermissionDeniedError    [7]   the system refused
    |   +-- ResourceExhaustedError   [8]   out of memory or disk
    |   +-- FailedPreconditionError  [9]   a variable read before it was initialized
    |   +-- AbortedError             [10]  another run got in the way
    |   +-- OutOfRangeError          [11]  past the end of the data
    |   +-- UnimplementedError       [12]  there is no such kernel
    |   +-- InternalError            [13]  a promise inside Pullback does not hold
    |   +-- UnavailableError         [14]  come back later
    |   +-- DataLossError            [15]  a checkpoint is damaged
    |   +-- UnauthenticatedError     [16]  no credentials
    +-- TypeError
        +-- OperatorNotAllowedInGraphError    a symbolic tensor used as a Python bool or iterated over

An error found while an operation is being *made* is a plain ValueError, TypeError or LookupError, as in TensorFlow.
"""

from __future__ import annotations

import traceback
from typing import Any

from .export import export

OK = export("errors.OK")(0)
CANCELLED = export("errors.CANCELLED")(1)
UNKNOWN = export("errors.UNKNOWN")(2)
INVALID_ARGUMENT = export("errors.INVALID_ARGUMENT")(3)
DEADLINE_EXCEEDED = export("errors.DEADLINE_EXCEEDED")(4)
NOT_FOUND = export("errors.NOT_FOUND")(5)
ALREADY_EXISTS = export("errors.ALREADY_EXISTS")(6)
PERMISSION_DENIED = export("errors.PERMISSION_DENIED")(7)
RESOURCE_EXHAUSTED = export("errors.RESOURCE_EXHAUSTED")(8)
FAILED_PRECONDITION = export("errors.FAILED_PRECONDITION")(9)
ABORTED = export("errors.ABORTED")(10)
OUT_OF_RANGE = export("errors.OUT_OF_RANGE")(11)
UNIMPLEMENTED = export("errors.UNIMPLEMENTED")(12)
INTERNAL = export("errors.INTERNAL")(13)
UNAVAILABLE = export("errors.UNAVAILABLE")(14)
DATA_LOSS = export("errors.DATA_LOSS")(15)
UNAUTHENTICATED = export("errors.UNAUTHENTICATED")(16)


@export("errors.OpError", v1="OpError")
class OpError(Exception):
    """An operation failed while it ran.

    Args:
        node_def: the definition of the operation, or None.
        op: the operation, or None when it ran eagerly.
        message: what went wrong.
        error_code: TensorFlow's number for the class of error.
        payloads: optionally one dict of further facts.

    >>> InvalidArgumentError(None, None, "x must be positive").message
    'x must be positive'
    """

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int, *payloads: dict[Any, Any]) -> None:
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code
        self._payloads = payloads[0] if payloads else {}

    def __reduce__(self) -> tuple[Any, ...]:
        # An operation belongs to its graph and stays behind; the message, which names it, travels.
        extra = (self._error_code,) if type(self) is OpError else ()
        return type(self), (None, None, str(self), *extra, self._payloads)

    @property
    def message(self) -> str:
        """What went wrong."""
        return self._message

    @property
    def op(self) -> Any:
        """The operation that failed; None when it ran eagerly."""
        return self._op

    @property
    def node_def(self) -> Any:
        """The definition of the operation that failed, or None."""
        return self._node_def

    @property
    def error_code(self) -> int:
        """TensorFlow's number for the class of error."""
        return self._error_code

    @property
    def experimental_payloads(self) -> dict[Any, Any]:
        """Further facts, by name."""
        return self._payloads

    def __str__(self) -> str:
        frames = getattr(self._op, "traceback", None)
        if not frames:
            return self._message
        where = "".join(traceback.format_list(frames))
        return f"{self._message}\n\nOriginal stack trace for {self._op.name!r}:\n{where}"


class _Coded(OpError):
    """What every class below is: an OpError whose class says its code."""

    _code = UNKNOWN

    def __init__(self, node_def: Any, op: Any, message: str, *payloads: dict[Any, Any]) -> None:
        super().__init__(node_def, op, message, self._code, *payloads)


@export("errors.CancelledError")
class CancelledError(_Coded):
    """The run was stopped before it ended.

    >>> tf.errors.CancelledError(None, None, "stopped").error_code
    1
    """

    _code = CANCELLED


@export("errors.UnknownError")
class UnknownError(_Coded):
    """An error from outside for which there is no better class.

    >>> raise tf.errors.UnknownError(None, None, "the disk says no")
    Traceback (most recent call last):
    pullback.base.errors.UnknownError: the disk says no
    """

    _code = UNKNOWN


@export("errors.InvalidArgumentError")
class InvalidArgumentError(_Coded):
    """A value that an operation cannot take: shapes that do not fit, an index out of range, a missing feed.

    >>> try:
    ...     tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(error.error_code == tf.errors.INVALID_ARGUMENT)
    True
    """

    _code = INVALID_ARGUMENT


@export("errors.DeadlineExceededError")
class DeadlineExceededError(_Coded):
    """A time limit passed before the operation ended.

    >>> tf.errors.DeadlineExceededError(None, None, "an hour is over").message
    'an hour is over'
    """

    _code = DEADLINE_EXCEEDED


@export("errors.NotFoundError")
class NotFoundError(_Coded):
    """Something asked for by name is not there: a file, an entry of a checkpoint.

    >>> try:
    ...     tf.io.gfile.GFile("/no/such/file").read()
    ... except tf.errors.NotFoundError:
    ...     print("not there")
    not there
    """

    _code = NOT_FOUND


@export("errors.AlreadyExistsError")
class AlreadyExistsError(_Coded):
    """Something that may exist once was made again.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     try:
    ...         tf.io.gfile.copy(file.name, file.name)
    ...     except tf.errors.AlreadyExistsError:
    ...         print("there already")
    there already
    """

    _code = ALREADY_EXISTS


@export("errors.PermissionDeniedError")
class PermissionDeniedError(_Coded):
    """The system does not let this program do it.

    >>> tf.errors.PermissionDeniedError(None, None, "this file is not yours").error_code == tf.errors.PERMISSION_DENIED
    True
    """

    _code = PERMISSION_DENIED


@export("errors.ResourceExhaustedError")
class ResourceExhaustedError(_Coded):
    """Memory, disk or another resource ran out.

    >>> issubclass(tf.errors.ResourceExhaustedError, tf.errors.OpError)
    True
    """

    _code = RESOURCE_EXHAUSTED


@export("errors.FailedPreconditionError")
class FailedPreconditionError(_Coded):
    """The state is not ready: most often a variable read before its initializer ran.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     try:
    ...         session.run(tf1.Variable(1.0))
    ...     except tf1.errors.FailedPreconditionError:
    ...         print("run its initializer first")
    run its initializer first
    """

    _code = FAILED_PRECONDITION


@export("errors.AbortedError")
class AbortedError(_Coded):
    """Something running at the same time got in the way.

    >>> tf.errors.AbortedError(None, None, "another run").error_code
    10
    """

    _code = ABORTED


@export("errors.OutOfRangeError")
class OutOfRangeError(_Coded):
    """An iteration went past the end of its data.

    >>> tf.errors.OutOfRangeError(None, None, "the data are over").error_code == tf.errors.OUT_OF_RANGE
    True
    """

    _code = OUT_OF_RANGE


@export("errors.UnimplementedError")
class UnimplementedError(_Coded):
    """There is no implementation for these dtypes, shapes or attributes.

    >>> try:
    ...     raise tf.errors.UnimplementedError(None, None, "no kernel for strings")
    ... except tf.errors.OpError as error:
    ...     print(error.message)
    no kernel for strings
    """

    _code = UNIMPLEMENTED


@export("errors.InternalError")
class InternalError(_Coded):
    """A promise inside the system does not hold.

    >>> tf.errors.InternalError(None, None, "two answers for one question").error_code
    13
    """

    _code = INTERNAL


@export("errors.UnavailableError")
class UnavailableError(_Coded):
    """The service cannot answer now.

    >>> tf.errors.UnavailableError(None, None, "come back later").error_code
    14
    """

    _code = UNAVAILABLE


@export("errors.DataLossError")
class DataLossError(_Coded):
    """Data cannot be read back: a damaged or cut-off file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     with open(folder + "/checkpoint", "w") as file:
    ...         _ = file.write("model_checkpoint_path: nonsense")
    ...     try:
    ...         tf.train.latest_checkpoint(folder)
    ...     except tf.errors.DataLossError:
    ...         print("damaged")
    damaged
    """

    _code = DATA_LOSS


@export("errors.UnauthenticatedError")
class UnauthenticatedError(_Coded):
    """The request carries no valid credentials.

    >>> tf.errors.UnauthenticatedError(None, None, "who are you").error_code
    16
    """

    _code = UNAUTHENTICATED


@export(v2="errors.OperatorNotAllowedInGraphError")
class OperatorNotAllowedInGraphError(TypeError):
    """A symbolic tensor was used where Python needs a value: as a `bool`, or iterated over.

    >>> with tf.Graph().as_default():
    ...     try:
    ...         bool(tf.constant(1.0) + 2.0 > 0.0)
    ...     except tf.errors.OperatorNotAllowedInGraphError:
    ...         print("a symbolic tensor has no truth value yet")
    a symbolic tensor has no truth value yet
    """


#: What a kernel may raise for values that do not fit.
KERNEL_ERRORS = (OpError, ValueError, TypeError, IndexError, OverflowError, ZeroDivisionError, MemoryError)
_BY_CODE: dict[int, type[_Coded]] = {c._code: c for c in _Coded.__subclasses__()}


@export(v1="errors.exception_type_from_error_code")
def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The class for TensorFlow's number. Raises KeyError for a number without one.

    >>> exception_type_from_error_code(5).__name__
    'NotFoundError'
    """
    return _BY_CODE[error_code]


@export(v1="errors.error_code_from_exception_type")
def error_code_from_exception_type(cls: type[_Coded]) -> int:
    """TensorFlow's number for an error class.

    >>> tf.compat.v1.errors.error_code_from_exception_type(tf.errors.NotFoundError)
    5
    """
    return cls._code
