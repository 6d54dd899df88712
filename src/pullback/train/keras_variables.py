"""The variables of Keras' optimizers: named after the optimizer, restored from a checkpoint as they are made."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from ..api.variable import Variable
from ..base.dtypes import DType, as_dtype
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import fill
from ..ops.math.cast import cast
from .trackable import Pending

_names: defaultdict[str, Callable[[], int]] = defaultdict(lambda: itertools.count().__next__)


class OptimizerVariable(Variable):
    """A variable of an optimizer: `name` is its own, `path` has the optimizer's before it."""

    @property
    def name(self) -> str:
        """The name, without the optimizer's."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def path(self) -> str:
        """The optimizer's name and the variable's."""
        return self._name.removesuffix(":0")

    def __repr__(self) -> str:
        value = f", value={self.numpy()}" if self._graph is None else ""
        return f"<Variable path={self.path}, shape={tuple(self.shape)}, dtype={self.dtype.base_dtype.name}{value}>"


def auto_name(kind: str) -> str:
    """A name not used before for something of a class: `adam`, `adam_1`, ..."""
    base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    number = _names[base]()
    return f"{base}_{number}" if number else base


def through_float32(number: Any, dtype: DType) -> Any:
    """A number as a tensor, rounded to float32 on its way to `dtype`, as Keras takes most (not all) of an optimizer's numbers."""
    return cast(convert_to_tensor(number), dtype)


class VariableHolder:
    """Something with a name that makes variables of its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._variables: list[Any] = []
        self._pending = Pending()

    @property
    def variables(self) -> list[Any]:
        """The optimizer's own variables."""
        return self._variables[:]

    def add_variable(
        self, shape: Any, initializer: Any = "zeros", dtype: Any = None, aggregation: Any = None, layout: Any = None, name: Any = None
    ) -> Any:
        """A new variable of this optimizer. `initializer`: "zeros", "ones", a number, or a function of shape and dtype."""
        kind = as_dtype(dtype or "float32").base_dtype
        value: Any = {"zeros": 0, "ones": 1}.get(initializer, initializer) if isinstance(initializer, str) else initializer
        if isinstance(value, str):
            raise ValueError(f"Could not interpret initializer identifier: {initializer}")

        def initial() -> Any:
            return value(shape, dtype=kind) if callable(value) else fill(list(shape), through_float32(value, kind))

        path = f"{self.name}/{name or 'variable'}"
        variable = OptimizerVariable(initial, trainable=False, name=path, full_name=path, dtype=kind, use_resource=True)
        self._variables.append(variable)
        self._pending.tell("_variables", self._variables)
        return variable

    def add_variable_from_reference(self, reference_variable: Any, name: str | None = None, initializer: Any = "zeros") -> Any:
        """A new variable of the shape and dtype of another, named after it."""
        reference = re.sub("[/:]", "_", reference_variable.name)
        shape, dtype = reference_variable.shape.as_list(), reference_variable.dtype
        return self.add_variable(shape, initializer, dtype, name=f"{reference}_{name or 'var'}")

    def add_optimizer_variables(self, trainable_variables: Sequence[Any], name: Any, initializer: Any = "zeros") -> Any:
        """A new variable for each of `trainable_variables`, a list; for several names a tuple of lists."""
        names = [name] if isinstance(name, str) else list(name)
        initializers = list(initializer) if isinstance(initializer, (list, tuple)) else [initializer] * len(names)
        if len(names) != len(initializers):
            raise ValueError(
                f"The number of names and of initializers must be the same. Received name='{name}', initializer='{initializer}'"
            )
        made: tuple[list[Any], ...] = tuple([] for _ in names)
        for v in trainable_variables:
            for own, kind, start in zip(made, names, initializers, strict=True):
                own.append(self.add_variable_from_reference(v, kind, start))
        return made[0] if isinstance(name, str) else made
