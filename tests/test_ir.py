"""Graphs keep their promises, and print as Python that computes the same."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.api.gradients import gradients
from pullback.api.names import placeholder
from pullback.api.session import Session
from pullback.api.variable import Variable
from pullback.base.dtypes import float32
from pullback.base.errors import InvalidArgumentError
from pullback.ir.graph import Graph
from pullback.ir.op import OPS, define
from pullback.ir.tensor import IndexedSlices, TensorType
from pullback.ops.aliases.define import version
from pullback.ops.array import basic as array_basic
from pullback.ops.constant import constant
from pullback.ops.math import arithmetic as math
from tests.show_python import show_python
from tests.verify_graph import verify


def _program() -> tuple[Graph, Any, Any, list[Any]]:
    graph = Graph()
    with graph.as_default():
        x = placeholder("float32", [None, 2], name="x")
        w = Variable(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32), name="w")
        y = OPS["Sin"](OPS["MatMul"](x, w)) * 2.0 + x
        return graph, x, w, [y, *gradients(y, [x, w])]


def test_a_graph_with_its_gradients_verifies() -> None:
    verify(_program()[0])


def test_verify_finds_a_node_that_lies_about_its_type() -> None:
    graph, _, _, _ = _program()
    next(n for n in graph.nodes if n.type == "Sin").outputs[0]._dims = (7, 7, 7)
    with pytest.raises(AssertionError, match="Sin"):
        verify(graph)


def test_a_graph_prints_as_python_that_computes_the_same() -> None:
    graph, x, w, outputs = _program()
    source = show_python(outputs)
    scope: dict[str, Any] = {}
    exec(source, scope)
    value = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], np.float32)
    with Session(graph=graph) as session:
        session.run(w.initializer)
        expected = session.run(outputs, {x: value})
    eager_w = Variable(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))
    for got, want in zip(scope["program"](value, eager_w.handle), expected, strict=True):
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-6)


def test_a_formula_that_reads_what_is_not_there_is_refused_when_defined() -> None:
    with pytest.raises(TypeError, match="reads \\['z'\\]"):
        define("TestBadRule", "x", lambda x: TensorType(x.dims, x.dtype), np.sin, {"x": lambda g, z: g * z})
    with pytest.raises(TypeError, match="unknown input 'q'"):
        define("TestBadInput", "x", lambda x: TensorType(x.dims, x.dtype), np.sin, {"q": lambda g: g})
    with pytest.raises(TypeError, match="defined twice"):
        define("Sin", "x", lambda x: TensorType(x.dims, x.dtype), np.sin, {})
    assert "TestBadRule" not in OPS


def test_a_formula_may_read_all_attributes_and_so_may_that_of_another_name_of_the_op() -> None:
    """What is written into a node besides is not among them; another name's are those of the op that it stands for."""

    def scale(x: Any, *, by: float, twice: bool = False) -> Any:
        return x * (2 * by if twice else by)

    rule = lambda g, attrs: scaled(g, **attrs)
    infer = lambda x, *, by, twice=False: TensorType(x.dims, x.dtype)
    try:
        scaled = define("TestScale", "x", infer, scale, {"x": rule}, dtypes={float32})
        version("TestDouble", "x", scaled, fixed={"twice": True})
        for name, slope in (("TestScale", 3.0), ("TestDouble", 6.0)):
            x = constant([1.0, 2.0])
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = OPS[name](x, by=3.0)
            gradient: Any = tape.gradient(y, x)
            assert gradient.numpy().tolist() == [slope, slope]
        with Graph().as_default():
            fed = placeholder("float32", [2])
            y = scaled(fed, by=3.0)
            y.node._set_attr("_note", "of the program's own")
            with Session() as session:
                assert session.run(gradients(y, fed), {fed: [0.0, 0.0]})[0].tolist() == [3.0, 3.0]
    finally:
        for name in ("TestScale", "TestDouble"):
            OPS.pop(name, None)


def test_where_a_type_rule_takes_any_keyword_the_attributes_are_the_kernels() -> None:
    def shift(x: Any, *, by: float, times: int = 2, site: Any) -> Any:
        return x + by * times

    try:
        op = define("TestShift", "x", lambda x, **_: TensorType(x.dims, x.dtype), shift, {}, dtypes={float32}, stateful=True)
        assert (op.attributes, op.fallbacks) == (("by", "times"), {"times": 2})
        assert op(constant([1.0]), by=3.0).numpy().tolist() == [7.0]
        with pytest.raises(TypeError, match="missing attributes \\['by'\\]"):
            op(constant([1.0]))
    finally:
        OPS.pop("TestShift", None)


def test_a_call_that_fails_leaves_no_node_behind() -> None:
    graph = Graph()
    with graph.as_default():
        x = placeholder("float32", [3])
        before = len(graph.nodes)
        with pytest.raises(ValueError, match="Dimensions must be equal"):
            math.add(x, np.ones(2, np.float32))
        assert len(graph.nodes) == before


def test_a_failed_scatter_leaves_the_variable_as_it_was() -> None:
    variable = Variable([1.0, 2.0])
    with pytest.raises(InvalidArgumentError, match=r"indices\[1\] = 9"):
        variable.scatter_add(IndexedSlices(constant([1.0, 1.0]), constant([0, 9])))
    assert variable.numpy().tolist() == [1.0, 2.0]


def test_a_failed_run_leaves_the_variables_as_they_were() -> None:
    with Graph().as_default() as graph:
        v = Variable(np.float32(1.0))
        x = placeholder("float32", None)
        first = v.assign_add(2.0)
        with graph.control_dependencies([first]):
            fails = array_basic.reshape(x, [7])
        with Session(graph=graph) as session:
            session.run(v.initializer)
            with pytest.raises(InvalidArgumentError, match="reshape"):
                session.run([first, fails], {x: [1.0, 2.0]})
            assert session.run(v) == 1.0


def test_infinities_are_answers_even_where_a_program_makes_warnings_errors() -> None:
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert OPS["Log"](constant(0.0)).numpy() == -np.inf
        assert np.isnan((constant(0.0) / constant(0.0)).numpy())
        assert OPS["Cumprod"](constant([1e30, 1e30]), 0).numpy()[1] == np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert OPS["Log"](constant(0.0)).numpy() == -np.inf


def test_the_constant_of_a_list_of_one_is_that_of_its_tensor() -> None:
    with Graph().as_default():
        (part,) = OPS["Unpack"](constant([[1, 2, 3]]), num=1, axis=0)
        assert part.dims == (3,) and part.constant.tolist() == [1, 2, 3]


def test_an_empty_part_of_a_vector_known_in_part_has_its_dtype() -> None:
    with tf.Graph().as_default():
        n = tf.compat.v1.placeholder(tf.int32, [])
        none = tf.stack([7, n])[0:0]
        assert none.constant.dtype == np.int32
        assert tf.gather(none, none).shape == [0]
