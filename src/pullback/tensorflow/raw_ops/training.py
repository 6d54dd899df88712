"""`tf.raw_ops.ResourceApplyAdam` and its kin: one step of an optimizer on the handles of variables, with TensorFlow's arguments.

Each is an operation of ops/training.py, whose rules take a decay by its complement, a `gain`; or, for the rules that no optimizer here
uses, a few assignments.  The forms for reference variables (`ApplyAdam`) are the same functions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...ir.apply import convert_to_tensor
from ...ir.op import OPS, Op, set_signature
from ...ir.references import READ, variable_type
from ...ops.array.gather import gather
from ...ops.math.arithmetic import ABS, SIGN, maximum
from ...ops.math.functions import exp, sqrt
from ...ops.primitives.cast import CAST

#: TensorFlow's arguments between the variables and `use_locking`, in its order; a sparse step has `indices` after `grad`.
_STEPS = {
    "GradientDescent": "var alpha delta",
    "Momentum": "var accum lr grad momentum",
    "KerasMomentum": "var accum lr grad momentum",
    "AdamWithAmsgrad": "var m v vhat beta1_power beta2_power lr beta1 beta2 epsilon grad",
    "RMSProp": "var ms mom lr rho momentum epsilon grad",
    "CenteredRMSProp": "var mg ms mom lr rho momentum epsilon grad",
    "Adadelta": "var accum accum_update lr rho epsilon grad",
    "ProximalGradientDescent": "var alpha l1 l2 delta",
    "ProximalAdagrad": "var accum lr l1 l2 grad",
    "AdagradDA": "var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step",
}
_WITH_NESTEROV = ("Momentum", "KerasMomentum")
_OURS = {"total": "gradient_accumulator", "squares": "gradient_squared_accumulator", "step": "global_step", "delta": "grad"}
_DECAYS = {"gain": "rho", "gain1": "beta1", "gain2": "beta2"}


def _value(name: str, given: dict[str, Any], dtype: Any) -> Any:
    """What the rule's argument `name` is by TensorFlow's."""
    if name in _DECAYS:
        return 1.0 - convert_to_tensor(given[_DECAYS[name]], dtype)
    value = given[name if name in given else _OURS[name]]
    return CAST.call(convert_to_tensor(value), DstT=dtype) if name == "step" else value


def _op(name: str) -> Op:
    """An operation of a family that may not have been loaded yet."""
    op = OPS.find(name)
    assert op is not None, name
    return op


def _step(of: str, given: dict[str, Any], attributes: dict[str, Any]) -> None:
    op = _op(f"SparseApply{of}" if "indices" in given else f"Apply{of}")
    dtype = convert_to_tensor(given["grad" if "grad" in given else "delta"]).dtype
    if "indices" in given:
        attributes = {**attributes, "in_turn": True}  # as TensorFlow's kernels; its optimizers sum the gradients of a row first
    op(*(_value(spec.name, given, dtype) for spec in op.inputs), **attributes)


# ---- steps in assignments


def _read(resource: Any, dtype: Any) -> Any:
    return READ(resource, dtype=dtype, shape=variable_type(resource)[1])


def _adam(var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, grad: Any) -> None:
    """Adam looking ahead (Dozat, 2016): the step goes along the next average."""
    new_m = beta1 * _read(m, grad.dtype) + (1.0 - beta1) * grad
    new_v = beta2 * _read(v, grad.dtype) + (1.0 - beta2) * grad * grad
    rate = lr * sqrt(1.0 - beta2_power) / (1.0 - beta1_power)
    change = rate * (beta1 * new_m + (1.0 - beta1) * grad) / (sqrt(new_v) + epsilon)
    _assign((m, new_m), (v, new_v), (var, _read(var, grad.dtype) - change))


def _ada_max(var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, grad: Any) -> None:
    """AdaMax (Kingma and Ba, 2015)."""
    new_m = beta1 * _read(m, grad.dtype) + (1.0 - beta1) * grad
    new_v = maximum(beta2 * _read(v, grad.dtype), ABS.call(grad))
    _assign((m, new_m), (v, new_v), (var, _read(var, grad.dtype) - lr / (1.0 - beta1_power) * new_m / (new_v + epsilon)))


def _add_sign(var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any) -> None:
    """AddSign (Bello et al., 2017): longer steps where the gradient agrees with its average."""
    new_m = beta * _read(m, grad.dtype) + (1.0 - beta) * grad
    agreed = SIGN.call(new_m) * SIGN.call(grad)
    _assign((m, new_m), (var, _read(var, grad.dtype) - lr * (alpha + sign_decay * agreed) * grad))


def _power_sign(var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any) -> None:
    """PowerSign (Bello et al., 2017): likewise, by a factor."""
    new_m = beta * _read(m, grad.dtype) + (1.0 - beta) * grad
    agreed = SIGN.call(new_m) * SIGN.call(grad)
    _assign((m, new_m), (var, _read(var, grad.dtype) - lr * exp(logbase * sign_decay * agreed) * grad))


def _assign(*pairs: tuple[Any, Any]) -> None:
    for resource, value in pairs:
        _op("AssignVariableOp")(resource, value)


_ASSIGNED: dict[str, Callable[..., None]] = {"AdaMax": _ada_max, "AddSign": _add_sign, "PowerSign": _power_sign}


def _arguments(text: str, **fallbacks: Any) -> inspect.Signature:
    kind = inspect.Parameter.KEYWORD_ONLY
    optional = {**fallbacks, "use_locking": False, "name": None}
    return inspect.Signature([
        *(inspect.Parameter(n, kind) for n in text.split()), *(inspect.Parameter(n, kind, default=d) for n, d in optional.items())
    ])  # fmt: skip


def _form(title: str, arguments: inspect.Signature, step: Callable[[dict[str, Any]], None]) -> Callable[..., Any]:
    """The raw function `title`: a step, and nothing to return."""

    def call(**given: Any) -> None:
        bound = arguments.bind(**given)
        bound.apply_defaults()
        for dropped in ("use_locking", "name"):
            del bound.arguments[dropped]
        for gradient in ("grad", "delta"):
            if gradient in bound.arguments:
                bound.arguments[gradient] = convert_to_tensor(bound.arguments[gradient])
        step(bound.arguments)

    call.__name__ = call.__qualname__ = title
    set_signature(call, arguments)
    call.__doc__ = f"One step of an optimizer on the handles of variables: {', '.join(arguments.parameters)}."
    return call


def _adam_step(given: dict[str, Any]) -> None:
    looks_ahead = given.pop("use_nesterov")
    _adam(**given) if looks_ahead else _step("Adam", given, {})


def _adagrad_step(given: dict[str, Any]) -> None:
    given.setdefault("epsilon", np.zeros((), given["grad"].dtype.numpy_dtype))
    if given.pop("update_slots"):
        return _step("AdagradV2", given, {})
    total, rows = _read(given["accum"], given["grad"].dtype), given.get("indices")
    root = sqrt(total if rows is None else gather(total, rows, axis=0))
    change = given["lr"] * given["grad"] / (root + given["epsilon"])
    if rows is not None:
        return _change_rows("Sub", given["var"], rows, change)
    return _assign((given["var"], _read(given["var"], change.dtype) - change))


def _ftrl_step(given: dict[str, Any]) -> None:
    shrinkage = np.zeros((), given["grad"].dtype.numpy_dtype)
    _step("Ftrl", {"l2_shrinkage": shrinkage, **given}, {"multiply_linear_by_lr": given.pop("multiply_linear_by_lr")})


def _change_rows(how: str, resource: Any, rows: Any, by: Any) -> None:
    _op(f"ResourceScatter{how}")(resource, rows, by)


def _define_simple(title: str, of: str, arguments: str) -> Callable[..., Any]:
    nesterov = {"use_nesterov": False} if of in _WITH_NESTEROV else {}

    def step(given: dict[str, Any]) -> None:
        _step(of, given, {n: given.pop(n) for n in nesterov})

    return _form(title, _arguments(arguments, **nesterov), step)


@cache
def training_forms() -> dict[str, Callable[..., Any]]:
    """The raw functions by name; made when first asked for, for few programs do."""
    found: dict[str, Callable[..., Any]] = {}

    def add(prefix: str, of: str, arguments: str, step: Callable[[dict[str, Any]], None], **fallbacks: Any) -> None:
        title = f"{prefix}{of}"
        found[title] = _form(title, _arguments(arguments, **fallbacks), step)

    adam, ftrl = "var m v beta1_power beta2_power lr beta1 beta2 epsilon grad", "var accum linear grad{} lr l1 l2{} lr_power"
    for prefix in ("Apply", "ResourceApply"):
        add(prefix, "Adam", adam, _adam_step, use_nesterov=False)
        add(prefix, "Adagrad", "var accum lr grad", _adagrad_step, update_slots=True)
        add(prefix, "AdagradV2", "var accum lr epsilon grad", _adagrad_step, update_slots=True)
        add(prefix, "Ftrl", ftrl.format("", ""), _ftrl_step, multiply_linear_by_lr=False)
        add(prefix, "FtrlV2", ftrl.format("", " l2_shrinkage"), _ftrl_step, multiply_linear_by_lr=False)
        for of, rule in _ASSIGNED.items():
            arguments = " ".join(inspect.signature(rule).parameters)
            add(prefix, of, arguments, lambda given, rule=rule: rule(**given))  # type: ignore[misc]  # bound to this rule
    for prefix in ("SparseApply", "ResourceSparseApply"):
        add(prefix, "Adagrad", "var accum lr grad indices", _adagrad_step, update_slots=True)
        add(prefix, "AdagradV2", "var accum lr epsilon grad indices", _adagrad_step, update_slots=True)
        add(prefix, "Ftrl", ftrl.format(" indices", ""), _ftrl_step, multiply_linear_by_lr=False)
        add(prefix, "FtrlV2", ftrl.format(" indices", " l2_shrinkage"), _ftrl_step, multiply_linear_by_lr=False)
    for of, arguments in _STEPS.items():
        sparse = " ".join("grad indices" if name in ("grad", "delta") else name for name in arguments.split())
        for prefix, taken in (("Apply", arguments), ("SparseApply", sparse)):
            for title in (f"{prefix}{of}", f"Resource{prefix}{of}"):
                found[title] = _define_simple(title, of, taken)
    for missing in ("KerasMomentum", "AdamWithAmsgrad"):  # TensorFlow has these for resources only, the second dense only
        del found[f"Apply{missing}"], found[f"SparseApply{missing}"]
    del found["ResourceSparseApplyAdamWithAmsgrad"], found["SparseApplyGradientDescent"], found["ResourceSparseApplyGradientDescent"]
    return found
