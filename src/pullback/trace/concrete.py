"""One trace of a function: a body, what it reads from outside, and how its arguments and results are nested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..base import nest
from ..base.dtypes import name_in_c, resource
from ..base.errors import InvalidArgumentError
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..control.call import call, call_listened
from ..engine import jit_policy
from ..ir.apply import EAGER_MEMORY, convert_to_tensor, wrap
from ..ir.context import current
from ..ir.function_graph import Body, FunctionGraph, Jit
from ..ir.graph import Graph
from ..ir.node import Node
from ..ir.plan import Run
from ..ir.tensor import SymbolicTensor, Tensor, TensorType
from ..ir.type_spec import TypeSpec, known_spec, tracing_type
from ..ops.constant import TensorSpec
from ..transforms.recording import Recording
from .arguments import Form, Given, Leaf, Parameters, is_composite, is_tensor_argument
from .call_key import packer
from .function_type import Callable, FunctionType, function_type

if TYPE_CHECKING:
    from ..engine import explain, export as exporting
    from ..engine.explanation import Explanation
    from ..ir import picture
    from ..pictures import drawing
else:
    explain = LazyModule("pullback.engine.explain")
    exporting = LazyModule("pullback.engine.export")
    drawing, picture = LazyModule("pullback.pictures.drawing"), LazyModule("pullback.ir.picture")


@export(v2="types.experimental.AtomicFunction")
class AtomicFunction(Callable):
    """What a `ConcreteFunction` calls: its trace, to which what it reads from outside can be given too.

    >>> v = tf.Variable(3.0)
    >>> f = tf.function(lambda x: v * x).get_concrete_function(tf.TensorSpec([]))
    >>> f.inference_fn.call_with_captures((tf.constant(2.0),), {}, f.captured_inputs)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    def __init__(self, concrete: ConcreteFunction) -> None:
        self._concrete = concrete

    @property
    def function_type(self) -> FunctionType:
        """The parameters, with what is known of the arguments, and the type of the results."""
        return self._concrete.function_type

    def call_with_captures(self, args: tuple[Any, ...], kwargs: dict[str, Any], captures: Sequence[Any]) -> Any:
        """The results, with these tensors in place of the `captured_inputs`.

        >>> scale = tf.constant(2.0)
        >>> f = tf.function(lambda x: x * scale).get_concrete_function(tf.TensorSpec([]))
        >>> f.inference_fn.call_with_captures((tf.constant(3.0),), {}, [tf.constant(5.0)]).numpy().item()
        15.0
        """
        wanted = len(self._concrete.captured_inputs)
        if len(captures) != wanted:
            raise ValueError(f"{self._concrete.name} reads {wanted} tensors from outside, got {len(captures)}")
        return self._concrete.call_with([*self._concrete._bind_arguments(args, kwargs), *captures])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results, as the `ConcreteFunction` gives them."""
        return self._concrete(*args, **kwargs)


@export(v2="types.experimental.ConcreteFunction")
class ConcreteFunction(Callable):
    """A function for one kind of arguments; made by `get_concrete_function`.

    Call it with tensors for the tensors it was made with; Python values that it was made with may be left out, and must be the same
    where they are given.  InvalidArgumentError: a tensor of another dtype; TypeError: arguments that do not fit.

    >>> double = tf.function(lambda x: 2 * x).get_concrete_function(tf.TensorSpec([None], tf.float32))
    >>> double(tf.constant([1.0, 2.0])).numpy().tolist()
    [2.0, 4.0]
    """

    def __init__(self, parameters: Parameters, form: Form, graph: FunctionGraph, returned: Any, body: Body, outside: list[Tensor]) -> None:
        self._parameters, self._form, self._returned = parameters, form, returned
        self.graph = graph
        self.body = body
        self._outside = outside
        self._variables: tuple[Any, ...] = ()
        #: Those that tapes watch, with what a tape notes of them.
        self._watchable: list[tuple[Any, int, Any]] = []
        flat = [None if t is None or isinstance(t, Node) else True for t in nest.flatten(returned, expand_composites=True)]
        self._single = isinstance(returned, Tensor)
        #: From the tensors of the results to the results as the function nests them.
        self.rebuilt = packer(returned, flat)
        symbolic = [t for t in outside if isinstance(t, SymbolicTensor)]
        self._reaches = tuple({id(t.node.graph): t.node.graph for t in symbolic}.values())
        self._keeps_order = bool(body.effects()) or any(t.dtype is resource or t.dtype._is_ref_dtype for t in body.inputs)
        self.is_for_xla = jit_policy.is_for_xla(graph)
        self._is_outside_moved = False
        self._outside_values = [] if symbolic else [t.value for t in outside]  # type: ignore[attr-defined]  # eager tensors all

    @is_hot
    def set_jit(self, wish: Jit) -> None:
        """Say what `jit_compile` asks for."""
        self.graph.jit = wish
        self.is_for_xla = jit_policy.is_for_xla(self.graph)

    # ---- calling

    @is_hot
    def reads(self, variables: Sequence[Any]) -> None:
        """Take note of the variables that the function reads."""
        self._variables = tuple(variables)
        self._watchable = [(v, v.handle.uid, v.handle) for v in variables if v.trainable]

    @is_hot
    def reachable(self, graph: Graph | None) -> bool:
        """Whether all that this reads from outside can be read from `graph`."""
        return not self._reaches or all(_is_within(graph, wanted) for wanted in self._reaches)

    @is_hot
    def call_on_arrays(self, values: list[Any]) -> Any:
        """The results, eagerly and with nobody listening."""
        answers = self.body.call(values + self._outside_values)
        return wrap(answers[0]) if self._single else self.rebuilt([wrap(v) for v in answers])

    @is_hot
    def move_tensors(self, tensors: Sequence[Any]) -> None:
        """Have arguments, and what is read from outside, stay where the native program is, if that is another device."""
        move = self.body.plan().move_tensors
        if move is not None:
            move(tensors)
            if self._outside_values and not self._is_outside_moved:
                move(self._outside)
                self._outside_values = [t.value for t in self._outside]  # type: ignore[attr-defined]  # eager tensors all
                self._is_outside_moved = True

    @is_hot
    def call_listened(self, tensors: Sequence[Any], recorders: Sequence[Any]) -> Any:
        """The results, eagerly, for recorders that listen."""
        for recorder in recorders if self._variables else ():
            if type(recorder) is Recording:
                recorder.read_all(self._watchable)
            else:
                for variable in self._variables:
                    recorder.read(variable)
        return self.rebuilt(call_listened(self.body, [*tensors, *self._outside], recorders))

    @is_hot
    def call_on_tensors(self, tensors: Sequence[Any]) -> Any:
        """The results for one tensor each of the declared inputs."""
        context = current()
        if context.graph is None and not self._reaches:
            if self.is_for_xla:
                self.move_tensors(tensors)
            if context.recorders:
                return self.call_listened(tensors, context.recorders)
            return self.call_on_arrays([t.value for t in tensors])
        for recorder in context.recorders:
            for variable in self._variables:
                recorder.read(variable)
        return self.call_with([*tensors, *self._outside])

    @is_hot
    def call_with(self, given: list[Any]) -> Any:
        """The results for one tensor each of the body's inputs."""
        graph = current().graph
        answers = call(self.body, given, "StatefulPartitionedCall" if self._keeps_order else "PartitionedCall")
        if graph is not None and not answers:
            return graph.nodes[-1] if self._returned is not None else None
        return self.rebuilt(answers)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results; see the class for what may be passed."""
        return self.call_on_tensors(self._bind_arguments(args, kwargs))

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """The native program of this trace: kernels, what is fused in them, bytes and operations; or why there is none.

        With arguments, for their shapes; without, for those it was traced for.  `print` it, or show it in a notebook.

        >>> double = tf.function(lambda x: 2 * tf.tanh(x)).get_concrete_function(tf.TensorSpec([1000], tf.float32))
        >>> kernel, = double.explain().parts
        >>> kernel.operations, kernel.read, kernel.written
        (('Tanh', 'Mul'), 4000, 4000)
        """
        return self.explain_on(self._bind_arguments(args, kwargs) if args or kwargs else None)

    def draw(self) -> drawing.Drawing:
        """The picture of this trace: its operations, with shapes and lines.  It has `to_svg(path)` and `to_html(path)`."""
        return drawing.Drawing(picture.picture_of_body(self.body, self.name))

    def _repr_html_(self) -> str:
        return self.draw()._repr_html_()

    def profile(self, *args: Any, **kwargs: Any) -> Explanation:
        """`explain` with the time of each part, measured on the arguments, and how far that is from what this machine could do.

        Variables are as before afterwards; other effects, of Python functions and random generators, happen at each run.
        """
        return self.profile_on(self._bind_arguments(args, kwargs))

    def export(self, path: str, *, format: Literal["stablehlo", "so"] = "stablehlo", openblas: bool = True) -> None:
        """Write this trace to a folder, as a program for those who do not have this library.

        Variables and tensors from outside have the values that they have now; gradients are results like others.  In every format
        `signature.json` has names, shapes and dtypes.

        format: "stablehlo", a portable module that XLA, and whatever else reads StableHLO, runs: `module.stablehlo`, and `load.py`, a
        loader that needs jaxlib alone.  "so", a shared library for programs in C, and in what calls C, without Python: for a folder
        `model`, `libmodel.so` and `model.h`, for the processor of this machine or the one that PULLBACK_CPU names; this needs Linux
        and a C compiler (`cc`, or what CC names).
        openblas: of a library, whether OpenBLAS, which is put beside it, does large products and factorisations; else plain loops do the
        products.
        Raises ValueError for unknown shapes, another format, and what the format does not take.

        >>> f = tf.function(lambda x: tf.tanh(x) * 2.0).get_concrete_function(tf.TensorSpec([None], name="x"))
        >>> f.export("folder")
        Traceback (most recent call last):
        ValueError: ... cannot be exported: the shape of x is not known; export it for specs with all sizes
        """
        if self._reaches:
            raise ValueError(f"{self.name} reads tensors of a graph that is being built: it cannot be exported")
        types = [TensorType(t.dims, t.dtype) for t in self.body.inputs]
        names = [leaf.name for leaf in self._form.leaves]
        options = {"openblas": openblas} if format == "so" else {}
        exporting.export(path, format, self.name, self.body.plan(), types, names, self._outside_values, **options)

    def explain_on(self, tensors: Sequence[Any] | None) -> Explanation:
        """`explain` for one tensor each of the declared inputs; None for the shapes it was traced for."""
        types = [TensorType(t.dims, t.dtype) for t in self.body.inputs]
        if tensors is not None and not self._reaches:
            types = [jit_policy.type_of_given(t, v) for t, v in zip(self.body.inputs, self._list_given(tensors), strict=True)]
        return explain.explain_plan(self.name, self.body.plan(), types)

    def profile_on(self, tensors: Sequence[Any]) -> Explanation:
        """`profile` for one tensor each of the declared inputs."""
        if self._reaches:
            raise ValueError(f"{self.name} reads tensors of a graph that is being built: it can be profiled where that graph runs")
        return explain.profile_plan(self.name, self.body.plan(), self._list_given(tensors), lambda: Run(EAGER_MEMORY, {}))

    def _list_given(self, tensors: Sequence[Any]) -> list[Any]:
        """The values of the body's inputs."""
        return [t.value for t in (*tensors, *self._outside)]

    def _bind_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        leaves = self._form.leaves
        named = {leaf.name: leaf for leaf in leaves}
        if not self._parameters.accepts(args, kwargs) and len(args) <= len(leaves) and set(kwargs) == set(list(named)[len(args) :]):
            flat = [*args, *(kwargs[leaf.name] for leaf in leaves[len(args) :])]
        else:
            flat = self._match_arguments(args, kwargs)
        return [fit_leaf(leaf, value, i, self) for i, (leaf, value) in enumerate(zip(leaves, flat, strict=True))]

    def _match_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The tensors among arguments that are nested as those this was traced with; its Python values where they are left out."""
        wanted = self._parameters.by_name(self._form.args, self._form.kwargs)
        given = self._parameters.by_name(args, kwargs, otherwise=wanted)
        flat: list[Any] = []
        for name, value in wanted.items():
            try:
                parts = nest.flatten_up_to(value, given[name], check_types=False)
            except (TypeError, ValueError) as error:
                raise self._parameters.explain_refusal(str(error), args, kwargs) from None
            for leaf, part in zip(nest.flatten(value), parts, strict=True):
                if is_composite(leaf):
                    flat += part._components()
                elif is_tensor_argument(leaf):
                    flat.append(part)
                elif (kind := tracing_type(leaf)) is not None and kind == tracing_type(part):
                    flat += kind.to_tensors(part)
                elif part is not leaf and part != leaf:
                    raise self._parameters.explain_refusal(f"Can not cast {part!r} to Literal[{leaf!r}]", args, kwargs)
        return flat

    # ---- what it is

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        return [self]

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {}

    def add_to_graph(self, g: object = None, overwrite: bool = False) -> None:
        """Have a graph know the function: nothing is to be done, what calls a function holds it."""

    def add_gradient_functions_to_graph(self, g: object = None) -> None:
        """Have a graph know the functions of the gradient: as `add_to_graph`."""

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self.graph.function_name

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The tensors of the graph that stand for the arguments, then for what is read from outside."""
        return list(self.body.inputs)

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The tensors of the graph that are returned, in order."""
        return list(self.body.outputs)

    @property
    def structured_outputs(self) -> Any:
        """The tensors of the graph that are returned, as the function nests them."""
        return self._returned

    @property
    def captured_inputs(self) -> list[Tensor]:
        """What is read from outside: variables' handles, tensors."""
        return list(self._outside)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that are read, in the order of their first reading."""
        return self._variables

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of `variables` that tapes watch."""
        return tuple(v for v in self._variables if v.trainable)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, nested as they are."""
        return nest.map_structure(lambda t: None if t is None else t.shape, self._returned)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, nested as they are."""
        return nest.map_structure(lambda t: None if t is None else t.dtype, self._returned)

    @property
    def structured_input_signature(self) -> Given:
        """The arguments as (positional, keyword), a `TensorSpec` for each tensor."""
        return self._signature([leaf.name for leaf in self._form.leaves])

    def _signature(self, names: Sequence[str | None]) -> Given:
        specs = [TensorSpec(t.dims, t.dtype, name) for name, t in zip(names, self.body.inputs, strict=False)]
        return self._form.as_specs(specs)

    @property
    def function_type(self) -> FunctionType:
        """The parameters, with the specs of tensors and the values of everything else, and the specs of the results."""
        known = self._parameters.by_name(*self._signature([None] * len(self._form.leaves)))
        returned = nest.map_structure(lambda t: known_spec(t) or t, self._returned)
        return function_type(self._parameters.signature, nest.map_structure(_annotation, known), returned)

    @property
    def inference_fn(self) -> AtomicFunction:
        """The trace that is called."""
        return AtomicFunction(self)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Parameters, results and captures in words.  verbose: False for one line."""
        named = [leaf.value.name if isinstance(leaf.value, TensorSpec) else None for leaf in self._form.leaves]
        parameters = self._parameters.by_name(*self._signature(named))
        kinds = {p.name: p.kind.name for p in self._parameters.signature.parameters.values()}
        shown = {name: _show_part(value) for name, value in parameters.items()}
        result = _show_part(self._returned)
        if not verbose:
            return f"({', '.join(f'{name}: {text}' for name, text in shown.items())}) -> {result}"
        lines = (
            ["Input Parameters:", *(f"  {n} ({kinds[n]}): {text}" for n, text in shown.items())]
            if shown
            else ["Input Parameters:", "  None"]
        )
        lines += ["Output Type:", f"  {result}", "Captures:"]
        lines += [f"  {t.uid}: {TensorSpec(t.dims, t.dtype)}" for t in self._outside] or ["  None"]
        return "\n".join(lines)

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.pretty_printed_signature(verbose=False)}>"


def _is_within(graph: Graph | None, wanted: Graph) -> bool:
    """Whether `wanted` is `graph` or one around it."""
    while graph is not None and graph is not wanted:
        graph = graph.outer if isinstance(graph, FunctionGraph) else None
    return graph is wanted


def fit_leaf(leaf: Leaf, value: Any, position: int, function: ConcreteFunction) -> Any:
    """`value` as the tensor for the input at a position; an InvalidArgumentError for one of another dtype."""
    if leaf.variable is not None and hasattr(value, "handle"):
        for recorder in current().recorders:
            recorder.read(value)
        return value.handle
    declared = function.body.inputs[position]
    wanted = declared.dtype
    tensor = value if isinstance(value, Tensor) else convert_to_tensor(value, None if hasattr(value, "__as_tensor__") else wanted)
    if tensor.dtype.base_dtype is not wanted and wanted is not resource:
        raise InvalidArgumentError(
            None,
            None,
            f"cannot compute {function.name} as input #{position}(zero-based) was expected to be a {name_in_c(wanted)} tensor but is a "
            f"{name_in_c(tensor.dtype)} tensor [Op:{function.name}]",
        )
    return tensor


def _annotation(value: Any) -> Any:
    """What is known of a part of an argument: the spec of a tensor, the very value of anything else."""
    return value if isinstance(value, TypeSpec) else Literal[value]


def _show_part(value: Any) -> str:
    """A part of a signature in words."""
    if isinstance(value, TypeSpec):
        return repr(value)
    if isinstance(value, Tensor) or is_composite(value):
        return repr(known_spec(value) or value)
    if isinstance(value, dict):
        return f"Dict[{', '.join(f'[{k!r}, {_show_part(v)}]' for k, v in value.items())}]"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__.capitalize()}[{', '.join(_show_part(v) for v in value)}]"
    return f"Literal[{value!r}]"
