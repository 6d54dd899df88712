"""What a function takes and gives, as programs may ask: `function_type`, and the base class of all that `tf.function` makes."""

from __future__ import annotations

import inspect
from abc import ABCMeta
from collections.abc import Iterator
from typing import Any

from ..base import nest
from ..base.export import export
from ..ir.type_spec import TypeSpec


@export("types.experimental.FunctionType")
class FunctionType(inspect.Signature):
    """The parameters of a function, annotated with what is known of the arguments, and the type of its results.

    It is Python's `inspect.Signature`, with `output` for the results and `flat_inputs` and `flat_outputs` for the specs in both.

    >>> f = tf.function(lambda x: (x, 2 * x)).get_concrete_function(tf.TensorSpec([2]))
    >>> f.function_type.flat_inputs
    [TensorSpec(shape=(2,), dtype=tf.float32, name=None)]
    """

    @property
    def output(self) -> Any:
        """The specs of the results, nested as they are; None where the function has not been traced."""
        return None if self.return_annotation is self.empty else self.return_annotation

    @property
    def flat_inputs(self) -> list[TypeSpec]:
        """The specs of the tensors among the arguments."""
        return list(_specs([p.annotation for p in self.parameters.values() if p.annotation is not p.empty]))

    @property
    def flat_outputs(self) -> list[TypeSpec]:
        """The specs of the tensors among the results."""
        return list(_specs(self.output))


def _specs(structure: Any) -> Iterator[TypeSpec]:
    for leaf in nest.flatten(structure, expand_composites=True):
        if isinstance(leaf, TypeSpec):
            yield leaf


@export(v2="types.experimental.Callable")
class Callable(metaclass=ABCMeta):  # noqa: B024  # as TensorFlow's
    """The base of what `tf.function` makes: a function of tensors, traced or to be traced.

    >>> f = tf.function(lambda x: 2.0 * x)
    >>> isinstance(f, tf.types.experimental.Callable), isinstance(abs, tf.types.experimental.Callable)
    (True, False)
    """

    @property
    def function_type(self) -> FunctionType:
        """The parameters, with what is known of the arguments, and the type of the results."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it takes")


def function_type(signature: inspect.Signature, known: dict[str, Any], returned: object = inspect.Signature.empty) -> FunctionType:
    """A Python signature with what is `known` of the arguments by their names."""
    parameters = [p.replace(annotation=known.get(p.name, p.empty)) for p in signature.parameters.values()]
    return FunctionType(parameters, return_annotation=returned)
