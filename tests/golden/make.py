"""Make the golden files by asking TensorFlow 2.21.

    python -m tests.golden.make                           every family and every program
    python -m tests.golden.make --only math names         these families or programs only
    python -m tests.golden.make --check tests.cases.math  write nothing; say which cases TensorFlow itself refuses

Run with a Python that has TensorFlow 2.21 (`make golden` does); it needs nothing of Pullback.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import numpy as np

from tests import cases as table
from tests.cases.case import Case, is_float
from tests.golden import observe, store
from tests.golden.programs import kit

Record = dict[str, Any]


def main() -> int:
    options = _options()
    tf = _tensorflow()
    made_with = f"TensorFlow {tf.__version__}"
    if options.check:
        families, names = [m.rsplit(".", 1)[-1] for m in options.check if ".cases." in m], []
        names = [m.rsplit(".", 1)[-1] for m in options.check if ".programs." in m]
    else:
        wanted = options.only
        families = [f for f in table.families() if not wanted or f in wanted]
        names = [p for p in kit.names() if not wanted or p in wanted]
        if missing := set(wanted) - {*families, *names}:
            print(f"no such family or program: {sorted(missing)}", file=sys.stderr)
            return 2
    faults = 0
    for family in families:
        sections, wrong = ask_family(tf, family)
        faults += wrong
        print(f"{family}: {', '.join(f'{len(s)} {name}' for name, s in sections.items())}, {wrong} faults", flush=True)
        if not options.check:
            store.write(f"cases_{family}", made_with, sections)
    for name in names:
        if devices := kit.devices(name):  # which TensorFlow takes before it has made anything
            if len(families) + len(names) > 1:
                faults += subprocess.run([sys.executable, "-m", "tests.golden.make", "--only", name], check=False).returncode
                continue
            cpu = tf.config.list_physical_devices("CPU")[0]
            tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * devices)
        labels, wrong = ask_program(tf, name)
        faults += wrong
        print(f"program {name}: {len(labels)} labels, {wrong} faults", flush=True)
        if not options.check:
            store.write(f"program_{name}", made_with, {"labels": labels})
    return 1 if faults else 0


def ask_family(tf: Any, family: str) -> tuple[dict[str, Record], int]:
    """What TensorFlow answers to every case and error case of a family, and how many cases are at fault."""
    found: Record = {}
    refused: Record = {}
    faults = 0
    for case in table.cases(family):
        record, failed = observe.outcome(partial(ask_case, tf, case))
        if failed is None and not case.beyond:
            found[case.id] = record
        elif failed is None:
            faults += 1
            print(f"  {family}: {case.id}: TensorFlow takes it, so it is not beyond")
        elif case.beyond or _has_no_kernel(failed["message"]):  # only the laws can judge
            found[case.id] = {"no kernel": failed}
        else:
            faults += 1
            print(f"  {family}: {case.id}: {failed['class']}: {failed['message'][:300]}")
    for wrong in table.errors(family):
        answer = observe.refusal(tf, wrong)
        if answer is None:
            faults += 1
            print(f"  {family}: {wrong.id}: TensorFlow does not refuse it")
        else:
            refused[wrong.id] = answer
    return {"cases": found, "errors": refused}, faults


def _has_no_kernel(message: str) -> bool:
    """Whether TensorFlow says that it has no kernel for this on a CPU; every message says where it ran."""
    words = ("CPU", "NHWC", "no registered kernels", "Could not find device", "not available in GraphDef")
    return any(one in _PLACE.sub("", message) for one in words)


_PLACE = re.compile(r"\bdevice:CPU:\d+")


def ask_case(tf: Any, case: Case) -> Record:
    """The eager answer, and what graph mode adds to it: static shapes, and which gradients are sparse or None."""
    record = observe.eager(tf, case)
    for key, known in (("graph", True), ("unknown", False)):
        found, failed = observe.outcome(partial(observe.graph, tf, case, known=known))
        if failed is not None:  # some calls have no graph form, or need known shapes: that too is an answer
            record[key] = {"refused": failed}
            continue
        record[key] = {"static": found["static"]}
        if "gradients" in found:
            kinds = [_kind(g) for g in found["gradients"]]
            if kinds != [_kind(g) for g in record.get("gradients", [])]:
                record[key]["kinds"] = kinds
        for eager, graph in zip(record["outputs"], found["outputs"], strict=True):
            _agree(case, eager, graph)
    return record


def _kind(g: Any) -> str | None:
    return None if g is None else "sparse" if isinstance(g, dict) else "dense"


def _agree(case: Case, eager: Any, graph: Any) -> None:
    if eager is None or graph is None or isinstance(eager, dict) or not is_float(eager.dtype) or eager.dtype.itemsize < 4:
        return
    if not np.allclose(eager, graph, rtol=1e-4, atol=1e-5, equal_nan=True):
        print(f"  note: {case.id}: TensorFlow's graph and eager values differ: {graph} {eager}")


def ask_program(tf: Any, name: str) -> tuple[Record, int]:
    """What a program answers, label by label, and how many labels are at fault."""
    labels = kit.run(tf, name, oracle=True)
    faults = 0
    for label, answer in labels.items():
        if fault := _fault(answer):
            faults += 1
            print(f"  program {name}: {label}: {fault}")
    return labels, faults


def _fault(answer: Any) -> str | None:
    if isinstance(answer, dict) and "unexpected" in answer:
        return f"TensorFlow raises {answer['unexpected']['class']}: {answer['unexpected']['message'][:300]}"
    if isinstance(answer, dict) and "raises" in answer:
        if answer["raises"] is None:
            return f"no error, returned {answer['returned'][:200]}"
        missing = [w for w in answer["says"] if "message" in answer and w.lower() not in answer["message"].lower()]
        return f"the message lacks {missing}: {answer['message'][:300]}" if missing else None
    try:
        store.encode(answer)
    except TypeError as e:
        return str(e)
    return None


def _tensorflow() -> Any:
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # the plain kernels: the same answers on every machine
    import tensorflow as tf

    tf.get_logger().setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    if not tf.__version__.startswith("2.21"):
        raise SystemExit(f"golden files are made with TensorFlow 2.21, this is {tf.__version__}")
    return tf


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="families or programs to remake")
    parser.add_argument("--check", nargs="+", default=[], metavar="MODULE", help="modules to try; nothing is written")
    return parser.parse_args()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # TensorFlow's servers of datasets do not end with the interpreter
