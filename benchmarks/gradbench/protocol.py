"""GradBench's protocol: a message a line comes in, an answer a line goes out, both JSON.

An evaluation is a module with `FUNCTIONS`. What is timed is `compute` alone, from tensors to tensors. It runs once before the clock starts:
that run traces and compiles, and is reported as the timing "prepare", as a C++ tool's compiler is not timed either.
"""

import importlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

import pullback as tf

MODULES = ("ba", "det", "gmm", "hello", "ht", "kmeans", "llsq", "lse", "lstm", "ode", "particle", "saddle")

Answer = dict[str, Any]


@dataclass(frozen=True)
class Function:
    """What one function of an evaluation does: the JSON input to arguments, arguments to a result, the result to the JSON output."""

    prepare: Callable[[Any], tuple[Any, ...]]
    compute: Callable[..., Any]
    output: Callable[[Any], Any]


def vector(numbers: Any) -> Any:
    """A float64 tensor of (nested) numbers."""
    return tf.constant(numbers, tf.float64)


def number(result: Any) -> float:
    return float(result.numpy())


def numbers(result: Any) -> Any:
    return result.numpy().tolist()


def functions(module: str) -> dict[str, Function]:
    """The functions of the evaluation `module`, one of MODULES, by name."""
    found: dict[str, Function] = importlib.import_module(f"{__package__}.{module}").FUNCTIONS
    return found


def _clocked(call: Callable[[], Any]) -> tuple[Any, int]:
    start = time.perf_counter_ns()
    result = call()
    return result, time.perf_counter_ns() - start


def evaluate(function: Function, given: Any) -> Answer:
    """Run `function` at least `min_runs` times and for `min_seconds`, where the input asks for that; its output, and each run's time."""
    limits = given if isinstance(given, dict) else {}
    runs, seconds = limits.get("min_runs", 1), limits.get("min_seconds", 0)
    arguments = function.prepare(given)
    result, first = _clocked(lambda: function.compute(*arguments))
    timings = [{"name": "prepare", "nanoseconds": first}]
    spent = done = 0
    while done < runs or spent < seconds * 1e9:
        result = None  # its memory is free for the next one
        result, taken = _clocked(lambda: function.compute(*arguments))
        timings.append({"name": "evaluate", "nanoseconds": taken})
        spent += taken
        done += 1
    return {"success": True, "output": function.output(result), "timings": timings}


def _defined(module: str) -> Answer:
    if module not in MODULES:
        return {"success": False, "error": f"there is no evaluation {module!r} here, only {', '.join(MODULES)}"}
    functions(module)
    return {"success": True}


def _evaluated(module: str, name: str, given: Any) -> Answer:
    known = functions(module) if module in MODULES else {}
    if name not in known:
        return {"success": False, "error": f"{module!r} has no function {name!r}, only {', '.join(known) or 'none'}"}
    try:
        return evaluate(known[name], given)
    except (ArithmeticError, LookupError, MemoryError, NotImplementedError, TypeError, ValueError, tf.errors.OpError):
        return {"success": False, "error": traceback.format_exc()}


def answer(message: Any) -> Answer:
    """The answer to one message. One of a kind that needs none is acknowledged."""
    reply: Answer = {"id": message["id"]}
    match message["kind"]:
        case "start":
            reply["tool"] = "pullback"
        case "define":
            reply |= _defined(message["module"])
        case "evaluate":
            reply |= _evaluated(message["module"], message["function"], message["input"])
    return reply


def serve(messages: IO[str]) -> None:
    """Answer every line on standard output, until there are no more. Whatever else prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for line in messages:
        print(json.dumps(answer(json.loads(line))), file=replies, flush=True)
