"""`wrap_function`: a Python function traced once, of which each call runs what its results need and nothing else, as a session does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..base import nest
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.function_graph import Body
from ..ir.node import Node
from ..ir.op import set_signature
from ..ir.tensor import SymbolicTensor, Tensor
from .arguments import Form, Parameters, is_composite
from .concrete import ConcreteFunction, fit_leaf
from .lifting import VariableKeeper
from .tracing import trace


class _Keeper(VariableKeeper):
    """A write gives its operation, for others to wait for: nothing else makes it run."""

    runs_what_is_needed = True


class WrappedFunction(ConcreteFunction):
    """What `wrap_function` gives: call it with a value for each tensor of its signature, in order.

    It keeps the variables that the Python function made.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results; NotImplementedError for keyword arguments, ValueError for another number of tensors."""
        if kwargs:
            raise NotImplementedError(f"Keyword arguments are not supported when calling a wrap_function-decorated function. Got {kwargs}.")
        wanted = len(self._form.leaves)
        flat = len(args) == wanted and not any(map(is_composite, args))
        given = [part for part in (args if flat else nest.flatten(list(args), expand_composites=True)) if part is not None]
        if len(given) != wanted:
            raise ValueError(
                f"Signature specifies {wanted} arguments, got: {len(given)}. The function takes its tensors alone: "
                f"{self.pretty_printed_signature(verbose=False)}"
            )
        tensors = [v if leaf.variable else convert_to_tensor(v, leaf.dtype) for leaf, v in zip(self._form.leaves, given, strict=True)]
        return self.call_on_tensors(
            [fit_leaf(leaf, t, i, self) for i, (leaf, t) in enumerate(zip(self._form.leaves, tensors, strict=True))]
        )

    def prune(self, feeds: object, fetches: Tensor, name: str | None = None, input_signature: object = None) -> WrappedFunction:
        """The function from some tensors of the graph to others.

        feeds: tensors of `graph`, in any structure, which calls give values for in order.  fetches: tensors and operations, nested as
        the results are to be.  Raises ValueError for what is not of this graph, or where a fetch needs an argument that is not fed.

        >>> f = tf.compat.v1.wrap_function(lambda x: tf.exp(x) + 1.0, [tf.TensorSpec([])])
        >>> exp = f.prune(f.inputs, f.outputs[0].op.inputs[0])
        >>> exp(0.0).numpy().item()
        1.0
        """
        inputs = nest.flatten(feeds, expand_composites=True)
        outputs = nest.flatten(fetches, expand_composites=True)
        for element in (*inputs, *outputs):
            if not isinstance(element, (SymbolicTensor, Node)) or element.graph is not self.graph:
                raise ValueError(f"{element} is no tensor and no operation of {self.graph}, the graph of {self.name}")
        own = {t.uid for t in self._outside_inputs()}
        signature = [t for t in inputs if t.uid not in own]
        parameters = _parameters(len(signature))
        form = Form(tuple(signature), {}, parameters.names)
        return WrappedFunction(parameters, form, self.graph, fetches, *_prune_body(self, signature, outputs))

    def _outside_inputs(self) -> Sequence[SymbolicTensor]:
        """The inputs of the graph that stand for what is read from outside."""
        return self.body.inputs[len(self._form.leaves) :]


def _prune_body(function: ConcreteFunction, inputs: Sequence[SymbolicTensor], outputs: Iterable[Any]) -> tuple[Body, list[Tensor]]:
    """The body from `inputs` to `outputs`, which runs what they need; and what it reads from outside."""
    outputs = list(outputs)
    outer = dict(zip([t.uid for t in function.body.inputs[len(function._form.leaves) :]], function._outside, strict=True))
    needed, reached = _find_between(inputs, outputs)
    captured = [t for t in function.body.inputs if t.uid in outer and t.uid in reached]
    unfed = [t.name for t in function.body.inputs if t.uid not in outer and t.uid in reached]
    if unfed:
        raise ValueError(f"what is fetched from {function.name} needs {', '.join(unfed)}: give them among the feeds")
    tensors = [t for t in outputs if isinstance(t, SymbolicTensor)]
    return Body(function.graph, [*inputs, *captured], tensors, frozenset(needed)), [outer[t.uid] for t in captured]


def _find_between(inputs: Sequence[SymbolicTensor], outputs: Iterable[Any]) -> tuple[set[Node], set[int]]:
    """The nodes that outputs need, not looking behind inputs; and the tensors that come from elsewhere."""
    fed = {t.uid for t in inputs}
    pending = [t.node if isinstance(t, SymbolicTensor) else t for t in outputs if not (isinstance(t, SymbolicTensor) and t.uid in fed)]
    needed: set[Node] = set()
    reached: set[int] = set()
    while pending:
        node = pending.pop()
        if node in needed:
            continue
        needed.add(node)
        reached.update(t.uid for t in node.outputs)
        pending += [t.node for t in node.inputs if t.uid not in fed]
        pending += node.control_inputs
    return needed, reached


def _parameters(count: int) -> Parameters:
    def call(*args: Any) -> None:
        """A function of positional arguments alone."""

    names = [inspect.Parameter(f"arg_{i}", inspect.Parameter.POSITIONAL_ONLY) for i in range(count)]
    return Parameters(set_signature(call, inspect.Signature(names)), None)


@export(v1="wrap_function")
def wrap_function(fn: Callable[..., Any], signature: Sequence[Any], name: str | None = None) -> WrappedFunction:
    """A Python function of TensorFlow 1 as a function of tensors, traced once and at once.

    signature: for each argument of `fn` a spec (`tf.TensorSpec` and its like) or a Python value.  The function given takes the tensors
    alone.  A call runs what its results need, by data or control dependency, and nothing else; `tf.function` runs all that has effects,
    in order.  The variables that `fn` makes belong to it.

    >>> def add_to(x, factor):
    ...     v = tf.Variable(5.0)
    ...     with tf.control_dependencies([v.assign_add(factor * x)]):
    ...         return v.read_value()
    >>> f = tf.compat.v1.wrap_function(add_to, [tf.TensorSpec([]), 2.0])
    >>> f(1.0).numpy().item(), f(1.0).numpy().item()
    (7.0, 9.0)
    """
    title = "wrapped_function" if name is None else f"wrapped_function_{name}"
    parameters = _parameters(len(signature))
    form = Form(tuple(signature), {}, parameters.names)
    whole = trace(fn, title, parameters, form, form.kinds, _Keeper(title, allowed=True), called=False)
    returned = nest.flatten(whole.structured_outputs, expand_composites=True)
    found = [t for t in returned if isinstance(t, (SymbolicTensor, Node))]
    stand_ins = list(whole.body.inputs[: len(form.leaves)])
    made = WrappedFunction(parameters, form, whole.graph, whole.structured_outputs, *_prune_body(whole, stand_ins, found))
    made.reads(whole.variables)
    return made
