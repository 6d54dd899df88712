"""TensorFlow 1's `Variable`, which makes ref variables in graphs unless resource variables are enabled or asked for."""

from __future__ import annotations

from typing import Any, TypeVar

from ..base.export import export
from ..ir.tracebacks import trims_errors
from .variable import Variable
from .variable_creators import VariableMetaclass

C = TypeVar("C")


class _FirstVersion(VariableMetaclass):
    @trims_errors
    def __call__(cls: type[C], *args: Any, expected_shape: Any = None, **kwargs: Any) -> C:
        if cls is not VariableV1:
            raise NotImplementedError(
                f"{cls.__name__} is a subclass of tf.compat.v1.Variable, of which no variable can be made: keep one as an attribute of a "
                "tf.Module, or change how variables are made by tf.variable_creator_scope"
            )
        result: Any = Variable(*args, first_version=True, **kwargs)
        return result

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Variable) and instance._is_ref


#: TensorFlow has one for both classes.
_FirstVersion.__name__ = _FirstVersion.__qualname__ = VariableMetaclass.__name__


@export(v1="Variable")
class VariableV1(Variable, metaclass=_FirstVersion):
    """A variable as TensorFlow 1 makes it: in a graph a ref variable, eagerly and with `use_resource=True` a resource variable.

    Takes what `pullback.Variable` takes, and use_resource: whether it is a resource variable; None for what
    `enable_resource_variables` and `disable_resource_variables` say.  collections: the graph's collections it goes to, those of global
    variables when None.  expected_shape: not read, as in TensorFlow.  Its own instances are the ref variables.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable([1.0, 2.0], use_resource=False)
    ...     sess.run(v.initializer)
    ...     print(v.dtype.name, sess.run(tf1.assign_add(v, [1.0, 1.0])))
    float32_ref [2. 3.]
    """
