"""Extension types: fields and their conversion, values that never change, specs, functions, branches, loops, tapes, batches."""

from __future__ import annotations

import copy
import inspect
import typing
from typing import Any

from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"


def _declared(base: Any, name: str = "Made", members: dict[str, Any] | None = None, **fields: Any) -> Any:
    """A class with these annotations, which are values here and not text."""
    return type(base)(name, (base,), {"__annotations__": fields, "__module__": __name__, "__qualname__": name, **(members or {})})


def _masked(tf: Any) -> Any:
    def total(self: Any) -> Any:
        return tf.reduce_sum(tf.where(self.mask, self.values, 0.0))

    return _declared(
        tf.experimental.ExtensionType, "Masked", {"tag": "x", "total": total}, values=tf.Tensor, mask=tf.Tensor, tag=str
    )


def fields(tf: Any) -> dict[str, Any]:
    base = tf.experimental.ExtensionType
    defaults = {"f": 2.0, "s": "a", "shape": [2, None], "dtype": tf.float32, "numbers": (1, 2), "two": (1, "b")}
    kinds = {
        "f": float, "s": str, "shape": tf.TensorShape, "dtype": tf.DType, "numbers": tuple[int, ...], "two": tuple[int, str],
        "named": typing.Mapping[str, tf.Tensor], "either": typing.Union[int, str, None], "rows": typing.Optional[tf.RaggedTensor],  # noqa: UP007, UP045
    }  # fmt: skip
    made = _declared(base, "Everything", {**defaults, "named": {"z": 1.0, "a": 2}, "either": None, "rows": None}, i=int, **kinds)

    def wrong(**given: Any) -> Any:
        return raises(lambda: made(**{"i": 1, **given}), next(iter(given)))

    def refused(*words: str, **options: Any) -> Any:
        return raises(lambda: _declared(base, **options), *words)

    return {
        "shown": lambda: repr(made(3)),
        "spec": lambda: repr(made(3)._type_spec),
        "parameters": lambda: list(inspect.signature(made).parameters),
        "of a spec": lambda: str(inspect.signature(made.Spec)).partition(" ->")[0],
        "a list for a tuple": lambda: made(1, numbers=[4, 5, 6]).numbers,
        "tensors in a mapping": lambda: [made(1, named={"b": 1, "a": [2.0]}).named[k] for k in "ab"],
        "a ragged one": lambda: made(1, rows=tf.ragged.constant([[1], [2, 3]])).rows.to_list(),
        "as a dictionary": lambda: sorted(tf.experimental.extension_type.as_dict(made(1))),
        "wrong int": wrong(i="a"), "wrong float": wrong(f=1), "wrong union": wrong(either=2.5), "wrong item": wrong(numbers=[1, "a"]),
        "no tuple": wrong(numbers=3), "tuple of another length": wrong(two=(1,)), "wrong key": wrong(named={3: 4}),
        "wrong shape": wrong(shape="x"), "wrong dtype": wrong(dtype="xx"), "no ragged one": wrong(rows=[[1]]),
        "lacking": raises(lambda: made(), "i"), "too many": raises(lambda: _masked(tf)(1.0, True, "a", 2)),
        "no tensor": raises(lambda: _masked(tf)(object(), True), "values: expected a Tensor, got 'object'"),
        "the base itself": raises(lambda: base()),
        "a reserved name": refused("Spec", Spec=int), "no type": refused("type annotation", members={"a": 3}),
        "a list": refused("list", a=list), "a tensor as a key": refused("Tensor", a=typing.Mapping[tf.Tensor, int]),
        "a wrong default": refused("default value for a", members={"a": "x"}, a=int),
        "a spec that is no class": refused("nested class", members={"Spec": 3}, a=int),
        "an encoder without batches": refused("BatchableExtensionType", members={"__batch_encoder__": 1}, a=int),
        "not there yet": raises(lambda: _declared(base, a="Undefined")(3), "Undefined"),
        "a variable": refused("Variable", a=tf.Variable), "a TensorArray": refused("TensorArray", a=tf.TensorArray),
    }  # fmt: skip


def constructors(tf: Any) -> dict[str, Any]:
    base = tf.experimental.ExtensionType

    def init(self: Any, x: Any) -> None:
        self.count, self.x = len(x), x

    def validate(self: Any) -> None:
        self.x.shape.assert_has_rank(1)

    def unset(self: Any) -> None:
        self.count = 3

    def strange(self: Any) -> None:
        self.other = 3

    own = _declared(base, "Own", {"__init__": init, "__validate__": validate}, count=int, x=tf.Tensor)
    below = _declared(_masked(tf), "Below", {"extra": 3}, extra=int, more=float)

    class Spec:
        def __init__(self, shape: Any) -> None:
            self.a = tf.TensorSpec(shape)

        @property
        def shape(self) -> Any:
            return self.a.shape

    with_spec = _declared(base, "WithSpec", {"Spec": Spec}, a=tf.Tensor)
    return {
        "its own": lambda: repr(own([1, 2])),
        "refused by itself": raises(lambda: own([[1]]), "rank"),
        "a field not set": raises(lambda: _declared(base, members={"__init__": unset}, count=int, b=int)(), "b"),
        "no field": raises(lambda: _declared(base, members={"__init__": strange}, count=int)(), "other"),
        "of a class below": lambda: repr(below([1.0], [True], more=2.0)),
        "its parameters": lambda: [f"{p.name} {p.kind.name}" for p in inspect.signature(below).parameters.values()],
        "a spec of its own": lambda: [repr(with_spec.Spec([2, 3])), with_spec.Spec([2]).shape, with_spec([1.0])._type_spec.shape],
    }


def values(tf: Any) -> dict[str, Any]:
    made = _masked(tf)
    x, same, other = made([1.0, 2.0], [True, False]), made([1.0, 2.0], [True, False]), made([1.0, 2.0], [True, True])
    below = _declared(tf.experimental.ExtensionType, "Adding", {"__add__": lambda a, b: a.x + b.x}, x=tf.Tensor)
    parts = {"one": made, "several": tuple[tf.Tensor, ...], "named": typing.Mapping[str, tf.Tensor]}
    nested = _declared(tf.experimental.ExtensionType, "Nested", **parts)
    whole = nested(x, [1, 2], {"z": 1.0, "a": 2.0})
    return {
        "equal": lambda: [x == same, x == other, x != other, x == made([1.0, 2.0], [True, False], "y"), x == 3, x == made([1], [True])],  # noqa: RUF100
        "set": raises(lambda: setattr(x, "values", 3), "values"), "deleted": raises(lambda: delattr(x, "values"), "values"),
        "not there": raises(lambda: x.foo, "foo"), "hashed": raises(lambda: hash(x), "unhashable"),
        "flat": lambda: tf.nest.flatten(x, expand_composites=True),
        "flat, nested": lambda: tf.nest.flatten(whole, expand_composites=True),
        "one leaf": lambda: len(tf.nest.flatten([x, x])),
        "mapped": lambda: repr(tf.nest.map_structure(lambda t: tf.cast(t, tf.int32) + 1, x, expand_composites=True)),
        "alike": raises(lambda: tf.nest.assert_same_structure(x, made([1.0], [True], "y"), expand_composites=True)),
        "a tensor": lambda: [tf.is_tensor(x), isinstance(x._type_spec, tf.TypeSpec)],
        "converted": raises(lambda: tf.convert_to_tensor(x), "Masked"), "added": raises(lambda: tf.add(x, x), "Masked"),
        "added by itself": lambda: below(1) + below(2), "not added": raises(lambda: x + x),
        "the same": lambda: repr(tf.identity(x)), "stopped": lambda: repr(tf.stop_gradient(x)),
        "copied": lambda: [repr(copy.copy(x)), repr(copy.deepcopy(x))],
    }  # fmt: skip


def specs(tf: Any) -> dict[str, Any]:
    made = _masked(tf)
    x = made([1.0, 2.0, 3.0], [True, False, True])
    s, wide = x._type_spec, made.Spec(tf.TensorSpec([None]), tf.TensorSpec([None], tf.bool), "x")
    other = made([1.0], [True], "y")._type_spec
    return {
        "of a value": lambda: repr(tf.type_spec_from_value(x)),
        "compatible": lambda: [s.is_compatible_with(wide), wide.is_compatible_with(x), wide.is_compatible_with(made([1.0], [True], "y"))],
        "narrower": lambda: [s.is_subtype_of(wide), wide.is_subtype_of(s)],
        "in common": lambda: repr(s.most_specific_compatible_type(wide)),
        "nothing in common": raises(lambda: s.most_specific_compatible_type(other)),
        "equal": lambda: [s == wide, s == made([4.0, 2.0, 3.0], [True, False, True])._type_spec, s == other],
        "hash": lambda: hash(s) == hash(made([4.0, 2.0, 3.0], [True, False, True])._type_spec),
        "set": raises(lambda: setattr(s, "values", 3), "values"),
        "parts": lambda: [repr(s.values), s.tag, s.value_type is made],
        "no default": raises(lambda: made.Spec(tf.TensorSpec([]), tf.TensorSpec([])), "tag"),
        "no spec": raises(lambda: made.Spec(1, 2, "x"), "values"),
    }


def in_functions(tf: Any) -> dict[str, Any]:
    made = _masked(tf)
    x = made([1.0, 2.0, 3.0], [True, False, True])
    wide = made.Spec(tf.TensorSpec([None]), tf.TensorSpec([None], tf.bool), "x")

    def traces() -> list[int]:
        seen: list[int] = []

        @tf.function
        def f(x: Any) -> Any:
            seen.append(1)
            return made(2.0 * x.values, x.mask, x.tag)

        found = []
        for given in (x, made([4.0, 5.0, 6.0], [True] * 3), made([4.0, 5.0, 6.0], [True] * 3, "y"), made([4.0], [True])):
            f(given)
            found.append(len(seen))
        return found

    def longer(x: Any) -> Any:
        return made(tf.concat([x.values, [1.0]], 0), tf.concat([x.mask, [True]], 0))

    def grown(x: Any) -> Any:
        start = [tf.constant(0), x]
        shapes = [tf.TensorShape([]), wide]
        return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, longer(x)), start, shape_invariants=shapes)[1]

    def doubled(x: Any) -> Any:
        return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, made(x.values * 2, x.mask)), [tf.constant(0), x])[1]

    def chosen(p: Any, tag: str = "x") -> Any:
        return tf.cond(p, lambda: x, lambda: made(x.values + 1, x.mask, tag))

    def slopes() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.function(lambda x: x.total() ** 2)(x)
        return tape.gradient(y, [x.values, x.mask])

    def refused() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x.values)
            y = made(x.values * 2, x.mask)
        return tape.gradient(y, x.values)

    return {
        "returned": lambda: repr(tf.function(lambda x: made(x.values * 2, x.mask, x.tag + "!"))(x)),
        "traces": traces,
        "signature": lambda: tf.function(lambda x: x.total(), input_signature=[wide])(x),
        "another tag than the signature's": ours(
            raised("TypeError", says=("tag='z'",)),
            raises(lambda: tf.function(lambda x: x.total(), input_signature=[wide])(made([1.0], [True], "z"))),
        ),
        "concrete": lambda: tf.function(lambda x: x.total()).get_concrete_function(wide)(x),
        "cond": lambda: [repr(chosen(tf.constant(False))), repr(tf.function(chosen)(tf.constant(True)))],
        "branches with other tags": raises(lambda: tf.function(lambda p: chosen(p, "q"))(tf.constant(True)), otherwise=("ValueError",)),
        "while": lambda: [repr(doubled(x)), repr(tf.function(doubled)(x))],
        "while, growing": lambda: repr(tf.function(grown)(x)),
        "gradients": slopes,
        "no gradient of the whole": raises(refused, "Masked"),
    }  # fmt: skip


def batches(tf: Any) -> dict[str, Any]:
    base, encoder = tf.experimental.BatchableExtensionType, tf.experimental.ExtensionTypeBatchEncoder
    made = _declared(base, "Batched", {"k": 2, "shape": [3]}, a=tf.Tensor, b=tf.Tensor, k=int, shape=tf.TensorShape)
    x = made([1, 2, 3], [[1.0], [2.0], [3.0]])
    row = made.Spec(tf.TensorSpec([], tf.int32), tf.TensorSpec([1]), 2, [])
    ragged = _declared(base, "Rows", r=tf.RaggedTensor, n=made)
    deeper = ragged(tf.ragged.constant([[[1], [2, 3]], [], [[4]]]), x)
    rows = ragged(tf.ragged.constant([[1, 2], [], [3]]), x)

    vehicles = _declared(base, "Vehicle", top=tf.Tensor, mpg=tf.Tensor)([120, 150, 80], [30, 40, 12])

    class Halves(encoder):  # type: ignore[misc, valid-type]  # a class of either library
        def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
            return (value.a * 2,)

        def decode(self, spec: Any, encoded_value: Any) -> Any:
            return spec.value_type(encoded_value[0] // 2)

    halves = _declared(base, "Halved", {"__batch_encoder__": Halves()}, a=tf.Tensor)
    return {
        "mapped": lambda: tf.map_fn(lambda v: tf.cast(v.a, tf.float32) * v.b, x, fn_output_signature=tf.float32),
        "vectorized": lambda: tf.vectorized_map(lambda v: tf.cast(v.a, tf.float32) * v.b, x),
        # rows of ragged tensors are not batched here
        "vectorized, ragged": ours(raised("ValueError"), raises(lambda: tf.vectorized_map(lambda v: v.n.a, rows))),
        "to others": lambda: tf.map_fn(lambda v: made(v.a + 1, v.b, v.k, v.shape), x, fn_output_signature=row).a,
        "nested, ragged": lambda: tf.map_fn(lambda v: tf.reduce_sum(v.r) + v.n.a, rows, fn_output_signature=tf.int32),
        "ragged, to the same": lambda: tf.map_fn(lambda v: ragged(v.r * 2, made(v.n.a, v.n.b, 2, [])), deeper).r.to_list(),
        "in a function": lambda: tf.function(lambda x: tf.map_fn(lambda v: v.a * v.k, x, fn_output_signature=tf.int32))(x),
        "rows as a dataset": lambda: [v.top for v in tf.data.Dataset.from_tensor_slices(vehicles)],
        "batches of rows": lambda: [v.mpg for v in tf.data.Dataset.from_tensors(vehicles).unbatch().batch(2)],
        "its own encoder": lambda: tf.map_fn(lambda v: v.a + 1, halves([1, 2]), fn_output_signature=tf.int32),
        "together": lambda: repr(x._type_spec._batch(5)), "one of them": lambda: repr(x._type_spec._unbatch()),
        "encoded": lambda: list(encoder().encode(x._type_spec, x)),
        "specs of it": lambda: [repr(s) for s in encoder().encoding_specs(x._type_spec)],
        "there and back": lambda: repr(encoder().decode(x._type_spec, encoder().encode(x._type_spec, x))),
        "not to be cut": raises(lambda: tf.map_fn(lambda v: v.values, _masked(tf)([1.0], [True]), fn_output_signature=tf.float32)),
    }  # fmt: skip


def in_graphs(tf: Any) -> dict[str, Any]:
    def run() -> Any:
        v1, made = tf.compat.v1, _masked(tf)
        with tf.Graph().as_default(), v1.Session() as session:
            fed = v1.placeholder(tf.float32, [2])
            x, y = made(fed, [True, True]), made([1.0, 2.0], [True, True])
            return [bool(session.run(x == y, {fed: [1.0, 2.0]})), bool(session.run(x != y, {fed: [1.0, 3.0]})), repr(y)]

    return {"equal": run}
