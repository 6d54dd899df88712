"""`tensorflow.python.framework.function.Defun`: TensorFlow 1's functions with types of arguments and a gradient of their own."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..control.custom import custom_gradient
from ..ir.apply import convert_to_tensor
from ..trace.function import function as traced


class Defun:
    """A decorator: a function of tensors of these dtypes.

    grad_func: (inputs, then gradients of the results) -> gradients of the inputs.  python_grad_func: (operation with `inputs` and
    `outputs`, gradients of the results) -> the same.

    >>> @Defun(tf.float32, python_grad_func=lambda op, dy: dy * 10.0)
    ... def double(x):
    ...     return x * 2.0
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = double(x)
    >>> float(y), float(tape.gradient(y, x))
    (6.0, 10.0)
    """

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        self._types = input_types
        self._name = kwargs.pop("func_name", None)
        self._grad, self._python_grad = kwargs.pop("grad_func", None), kwargs.pop("python_grad_func", None)
        for taken in ("out_names", "shape_func", "capture_by_value", "noinline", "compiled"):
            kwargs.pop(taken, None)
        if kwargs:
            raise TypeError(f"Defun got unexpected arguments {sorted(kwargs)}")
        if self._grad is not None and self._python_grad is not None:
            raise ValueError("Gradient defined twice: give grad_func or python_grad_func")

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        inner: Callable[..., Any] = traced(func)
        if self._grad is not None or self._python_grad is not None:
            inner = custom_gradient(self._with_gradient(inner))
        types, shown = self._types, self._name or func.__name__

        def call(*args: Any, name: str | None = None) -> Any:
            if types and len(args) != len(types):
                raise ValueError(f"{shown} takes {len(types)} inputs, and was given {len(args)}")
            return inner(*(convert_to_tensor(x, dtype) for x, dtype in zip(args, types or [None] * len(args), strict=True)))

        call.__name__, call.__doc__ = shown, func.__doc__
        return call

    def _with_gradient(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        def forward(*inputs: Any) -> tuple[Any, Callable[..., Any]]:
            found = inner(*inputs)

            def backward(*dys: Any) -> Any:
                if self._grad is not None:
                    return self._grad(*inputs, *dys)
                outputs = list(found) if isinstance(found, (list, tuple)) else [found]
                return self._python_grad(SimpleNamespace(inputs=list(inputs), outputs=outputs), *dys)

            return found, backward

        return forward
