"""Names of devices: their parts, as text, merged; which operations of a graph ask for which; what is compiled by `tf.xla`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"


def specs(tf: Any) -> Answers:
    spec = tf.DeviceSpec
    texts = ["/job:w/replica:0/task:1/device:CPU:0", "/cpu:0", "cpu:0", "/GPU:1", "/gpu:*", "", "/job:a/job:b", "/device:XPU:3", "/task:2", "/Cpu:0", "/cpu", "GPU"]
    refused = ["/foo:1", "/device:XPU:x", "/cpu:0/gpu:0", "/job", "/device:CPU"]
    worker = spec(job="ps", replica=1, device_type="cpu", device_index=0)
    return {
        "parts": [[getattr(spec.from_string(t), n) for n in ("job", "replica", "task", "device_type", "device_index")] for t in texts],
        "texts": [spec.from_string(t).to_string() for t in texts],
        **{f"refused {t}": raises(lambda t=t: spec.from_string(t)) for t in refused},
        "of parts": worker.to_string(),
        "shown": repr(worker),
        "no index": spec(job="ps", device_type="cpu").to_string(),
        "replaced": worker.replace(task=3, device_index=2).to_string(),
        "merged": worker.make_merged_spec(spec(device_type="gpu", job="w")).to_string(),
        "parsed": worker.parse_from_string("/cpu:1").to_string(),
        "equal": [worker == spec("ps", 1, None, "CPU", 0), hash(worker) == hash(spec("ps", 1, None, "CPU", 0)), spec() == spec(job="a")],
        "no number": raises(lambda: spec(replica="a")),
        "fixed": raises(lambda: setattr(worker, "job", "x")),
    }


def specs_that_change(tf: Any) -> Answers:
    spec = tf.compat.v1.DeviceSpec(job="a")
    texts = [spec.to_string()]
    spec.job, spec.device_type, spec.device_index = "b", "gpu", 3
    texts.append(spec.to_string())
    spec.merge_from(tf.DeviceSpec(task=2))
    texts.append(spec.to_string())
    texts.append(spec.parse_from_string("/gpu:0").to_string())
    texts.append(spec.to_string())
    return {"texts": texts}


def in_graphs(tf: Any) -> Answers:
    tf1 = tf.compat.v1

    def asked(*wishes: Any) -> Any:
        def ask() -> str:
            import contextlib

            with tf.Graph().as_default(), contextlib.ExitStack() as blocks:
                for wish in wishes:
                    blocks.enter_context(tf1.device(wish))
                return str(tf.identity(tf.constant(1.0)).op.device)

        return ask

    return {
        "one": asked("/cpu:0"),
        "a job and a device": asked("/job:w", "/gpu:1"),
        "two devices": asked("/gpu:1", "/cpu:0"),
        "a device and a job": asked("/gpu:1", "/job:w/task:3"),
        "none": asked("/gpu:1", None),
        "none between": asked("/gpu:1", None, "/job:w"),
        "a spec": asked(tf.DeviceSpec(job="w", device_type="CPU")),
        "a function": asked(lambda op: "/gpu:2"),
        "a function within a job": asked("/job:w", lambda op: "/gpu:2"),
        "a job within a function": asked(lambda op: "/gpu:2", "/job:w"),
        "a function of the operation": asked(lambda op: "/cpu:0" if op.type == "Identity" else "/cpu:1"),
        "what cannot be read": raises(asked("/foo:1")),
        "eagerly": lambda: [tf.device(d).__enter__() is None or d for d in ("/cpu:0", tf.DeviceSpec(device_type="CPU", device_index=0))],
    }


def eagerly(tf: Any) -> Answers:
    """Names that cannot be read are refused when the block is entered."""

    def within(wish: Any, face: Any = tf) -> Callable[[], Any]:
        def ask() -> Any:
            with face.device(wish):
                return tf.constant(1.0) + 1.0

        return ask

    def twice() -> Any:
        block = tf.device("/cpu:0")
        with block, block:
            return tf.constant(1.0) + 1.0

    taken = ["/cpu:0", "cpu:0", "/cpu", "/gpu:0", "", None, "/device:CPU:0", "/cpu:*"]
    refused = {"foo": "Unknown attribute", "/ps/task:0": "Unknown attribute", "/device:cpu": "Unknown attribute", "/task:x": "int()", " /cpu:0": "Unknown"}
    return {
        **{f"{wish!r}": within(wish) for wish in taken},
        **{f"{wish!r} is refused": raises(within(wish), says) for wish, says in refused.items()},
        "two kinds": raises(within("/cpu:0/gpu:0"), "Multiple device types are not allowed"),
        "a number": raises(within(1), "Expecting a string device name"),
        "a function": raises(lambda: tf.device(lambda op: "/cpu:0"), "does not support functions"),
        "a function, v1": raises(lambda: tf.compat.v1.device(lambda op: "/cpu:0"), "does not support functions"),
        "a function in a function": raises(lambda: tf.function(lambda: tf.device(lambda op: "/cpu:0"))(), "does not support functions"),
        "a wrong name that is not entered": lambda: tf.device("foo") is not None,
        "entered twice": twice,
        "in a function": raises(tf.function(within("foo")), "Unknown attribute"),
    }


def compiled(tf: Any) -> Answers:
    compile = tf.xla.experimental.compile
    x = tf.constant(2.0)
    v = tf.Variable(3.0)

    def scoped() -> Any:
        with tf.xla.experimental.jit_scope():
            return tf.constant(1.0) + 1.0

    return {
        "one result": lambda: compile(lambda x: x * 2.0, [x]),
        "several results": lambda: compile(lambda x: (x * 2.0, x + 1.0), [x]),
        "several arguments": lambda: compile(lambda a, b: a * b, [x, 3.0]),
        "no argument": lambda: compile(lambda: tf.constant(1.0)),
        "in a function": lambda: tf.function(lambda x: compile(lambda x: x * 2.0, [x]))(3.0),
        "a dictionary in a function": lambda: tf.function(lambda x: compile(lambda x: {"a": x * 2.0}, [x]))(3.0),
        "a variable": lambda: compile(lambda x: x * v, [x]),
        "no list": raises(lambda: compile(lambda x: x, 3.0)),
        "jit_scope": lambda: tf.function(scoped)(),
        "jit_scope eagerly": raises(scoped),
    }


def classes(tf: Any) -> Answers:
    compat = tf.compat
    things = [1, 2.0, 3j, "a", b"a", np.int8(1), np.float16(1), np.complex64(1), np.bool_(True), True, None]
    kinds = ("integral_types", "real_types", "complex_types", "bytes_or_text_types")
    return {kind: [isinstance(thing, getattr(compat, kind)) for thing in things] for kind in kinds}


def references(tf: Any) -> Answers:
    a, b = tf.Variable(1.0), tf.constant(2.0)

    class Callable_:
        kept = 3

        def __init__(self) -> None:
            self.own = 5

        def __call__(self, x: Any) -> Any:
            return x

    def plain(x: Any) -> Any:
        return x

    plain.note = "noted"  # type: ignore[attr-defined]
    decorated = tf.function(lambda x: x + 1.0)
    decorated._decorate(lambda f: lambda x: f(x) * 10.0)

    def decorated_late() -> None:
        f = tf.function(lambda x: x + 1.0)
        f(1.0)
        f._decorate(lambda f: f)

    return {
        "one is less": (a.ref() < b.ref()) != (b.ref() < a.ref()),
        "none is less than itself": a.ref() < a.ref(),  # noqa: PLR0124
        "sorted": len(sorted([a.ref(), b.ref(), a.ref()])),
        "less than a number": raises(lambda: a.ref() < 1),
        "attributes of an object": tf.function(Callable_()).own,
        "attributes of a function": tf.function(plain).note,
        "decorated": decorated(1.0),
        "decorated after a call": raises(decorated_late),
        "no seed": [tf.random.set_seed(None), tf.random.uniform([2]).shape],
    }
