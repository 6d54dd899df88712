"""Runs the tests of libraries that stand on TensorFlow, by `make built-on`: on Pullback and on TensorFlow, and writes docs/built-on.md.

    python -m tests.library_suites --tensorflow PYTHON [--results FOLDER] [--page] [NAME ...]
    python -m tests.library_suites --requirements

Each library is taken unchanged from the package index, its tests from its wheel, its source distribution or, where these have none, by git
from its repository; both environments have what `--requirements` prints.  Results are kept in the folder, so a run that was broken off
goes on.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

PAGE = Path(__file__).parent.parent / "docs" / "built-on.md"
LIMIT = 3600


class Library(NamedTuple):
    """A library whose tests are run: its package, where its tests are, which of them, and why some cannot pass here.

    tests: folders and files.  chosen: what pytest's -k takes.  git: a repository and a tag with the tests, which the packages lack.
    options: more of pytest's.  imports_beside: whether modules beside the tests are imported by name.  needs: what is installed in place of
    a package that would bring TensorFlow with it; its modules are those beside the tests.  conftest: what pytest runs before the tests.
    """

    package: str
    tests: str
    chosen: str = ""
    is_sdist: bool = False
    reasons: str = ""
    git: tuple[str, str] | None = None
    options: tuple[str, ...] = ()
    imports_beside: bool = False
    needs: str = ""
    conftest: str = ""


#: Test files of TensorFlow Probability: those of a sample of all, from its folder `python`, that run in some seconds.
_PROBABILITY = (
    "bijectors/absolute_value bijectors/ascending bijectors/fill_scale_tril bijectors/gev_cdf bijectors/lambertw_transform "
    "bijectors/permute bijectors/scale bijectors/split bijectors/square distributions/doublesided_maxwell "
    "distributions/internal/correlation_matrix_volumes distributions/mvn_linear_operator internal/custom_gradient internal/dtype_util "
    "internal/samplers internal/tensorshape_util layers/internal/tensor_tuple math/psd_kernels/rational_quadratic mcmc/internal/util "
    "mcmc/metropolis_hastings stats/leave_one_out sts/components/local_linear_trend vi/mutual_information"
)
#: Test files of GPflow that run in some seconds, from its folder `tests/gpflow`.
_PROCESSES = (
    "conditionals/test_conditionals conditionals/test_util config/test_config covariances/test_base_covariances "
    "covariances/test_multioutput kernels/test_changepoints kernels/test_coregion kernels/test_positive_semidefinite "
    "kernels/test_scaled_euclid_dist likelihoods/test_function_params likelihoods/test_heteroskedastic models/test_cglb models/test_gpr "
    "models/test_gpr_posterior models/test_mcmc models/test_methods models/test_vgp optimizers/test_mcmc optimizers/test_natural_gradient "
    "test_base test_base_prior test_base_training test_initial_value test_inducing_variables test_kullback_leiblers test_logdensities "
    "test_monitor utilities/test_bijectors utilities/test_deepcopy utilities/test_misc utilities/test_model_utils utilities/test_ops "
    "utilities/test_set_trainable utilities/test_training_loop utilities/test_traversal"
)
LIBRARIES = {
    "einops": Library("einops==0.8.2", "einops/tests", is_sdist=True),
    "Sonnet": Library(
        "dm-sonnet==2.0.2", "sonnet/src",
        reasons="cuDNN's LSTM and `Replicator` of several replicas in one process are not there",
    ),
    "autoray": Library("autoray==0.8.4", "tests", "tensorflow", is_sdist=True),
    "TensorNetwork": Library("tensornetwork==0.4.6", "tensornetwork", "tensorflow"),
    "opt_einsum": Library("opt_einsum==3.4.0", "opt_einsum/tests", "tensorflow", is_sdist=True),
    "pymanopt": Library("pymanopt==2.2.1", "tests", "tensorflow", is_sdist=True, options=("--noconftest",)),
    "eagerpy": Library(
        "eagerpy==0.30.0", "tests", git=("https://github.com/jonasrauber/eagerpy", "v0.30.0"), options=("--backend", "tensorflow")
    ),
    "kymatio": Library(
        "kymatio==0.3.0", "tests/general tests/scattering1d tests/scattering2d", "tensorflow",
        git=("https://github.com/kymatio/kymatio", "main"),
    ),
    "torchquad": Library(
        "torchquad==0.6.0", "tests", "tensorflow", git=("https://github.com/esa/torchquad", "main"), imports_beside=True
    ),
    "POT": Library(
        "POT==0.9.7.post1",
        "test/test_backend.py test/test_utils.py test/test_1d_solver.py test/test_circle_solver.py test/test_gaussian.py test/test_ot.py "
        "test/test_weak.py test/test_factored.py test/test_lowrank.py test/test_smooth.py test/test_regpath.py test/test_dr.py "
        "test/sliced/test_sliced_distances.py",
        "tf", git=("https://github.com/PythonOT/POT", "0.9.7.post1"), imports_beside=True,
    ),
    "foolbox": Library(
        "foolbox==3.3.4",
        " ".join(
            f"tests/test_{name}.py"
            for name in ("attacks_base", "binarization_attack", "criteria", "dataset_attack", "devutils", "distances", "models", "utils")
        ),
        git=("https://github.com/bethgelab/foolbox", "v3.3.4"), options=("--backend", "tensorflow", "-o", "addopts="), imports_beside=True,
    ),
    "GPflow": Library(
        "gpflow==2.11.2", " ".join(f"tests/gpflow/{name}.py" for name in _PROCESSES.split()),
        git=("https://github.com/GPflow/GPflow", "v2.11.2"), imports_beside=True, needs="check-shapes deprecated multipledispatch",
        reasons="a last bit (1), the MCMC helper without transforms (2), a table of a Keras model",
    ),
    "TensorFlow Probability": Library(
        "tensorflow-probability==0.25.0",
        " ".join(f"tensorflow_probability/python/{name}_test.py" for name in _PROBABILITY.split()),
        git=("https://github.com/tensorflow/probability", "v0.25.0"), imports_beside=True,
        conftest="from absl import flags\n\nflags.FLAGS.mark_as_parsed()\n",
    ),
    "trfl": Library("trfl==1.2.0", "trfl", conftest="import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n"),
}  # fmt: skip
#: What the tests of the libraries need beside the libraries.
TOOLS = (
    "pytest", "pytest-timeout", "absl-py", "dm-tree", "wrapt", "tabulate", "parameterized", "graphviz", "opt_einsum", "h5py", "scipy",
    "docutils", "tf_keras", "autograd", "matplotlib", "eagerpy", "loguru", "scikit-learn",
)  # fmt: skip


def fetch(library: Library, folder: Path) -> Path:
    """The folder of a library's source, taken from the package index once."""
    target = folder / library.package
    if library.git is not None and not target.exists():
        address, tag = library.git
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", "--branch", tag, address, str(target / "source" / "tests")], check=True)
    if not target.exists():
        kind = ["--no-binary", ":all:"] if library.is_sdist else ["--only-binary", ":all:"]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *kind, "--dest", str(target), library.package]
        subprocess.run(command, check=True)
        (packed,) = target.iterdir()
        if packed.suffix == ".whl":
            with zipfile.ZipFile(packed) as wheel:
                wheel.extractall(target / "source")
        else:
            with tarfile.open(packed) as sdist:
                sdist.extractall(target / "source", filter="data")
    source = target / "source"
    return next(source.iterdir()) if library.is_sdist or library.git is not None else source


def run(python: str, library: Library, source: Path, results: Path, on_tensorflow: bool) -> None:
    """Run a library's tests in one environment."""
    start = [python, "-m", "pytest"] if on_tensorflow else [python, "-m", "pullback", "run", "-m", "pytest"]
    if library.conftest:
        (source / "conftest.py").write_text(library.conftest, encoding="utf-8")
    places = [source / place for place in library.tests.split()]
    files = [str(place) for place in places if place.is_file()]
    files += sorted(str(path) for pattern in ("*_test.py", "test_*.py") for place in places for path in place.rglob(pattern))
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "--tb=line", "--timeout=120", "--continue-on-collection-errors"]
    options += [f"--import-mode={'prepend' if library.imports_beside else 'importlib'}", "--rootdir", str(source)]
    options += ["--junitxml", str(results), *library.options]
    options += ["-k", library.chosen] if library.chosen else []
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "EINOPS_TEST_BACKENDS": "numpy,tensorflow"}
    subprocess.run([*start, *options, *files], env=environment, cwd=results.parent, timeout=LIMIT, stdout=subprocess.DEVNULL, check=False)


def read(results: Path) -> dict[str, str]:
    """What came of each test: passed, failed or skipped."""
    found = {}
    for case in ElementTree.parse(results).iter("testcase"):
        outcomes = {child.tag for child in case}
        name = f"{'.'.join((case.get('classname') or '').split('.')[-2:])}::{case.get('name')}"
        found[name] = "failed" if outcomes & {"failure", "error"} else "skipped" if "skipped" in outcomes else "passed"
    return found


def compare(folder: Path, names: list[str]) -> list[str]:
    """The rows of the table, a library each, from the results in a folder."""
    rows = []
    for name in names:
        library = LIBRARIES[name]
        ours, theirs = (read(folder / f"{name}-{side}.xml") for side in ("pullback", "tensorflow"))
        there = [test for test, outcome in theirs.items() if outcome == "passed"]
        here = Counter(ours.get(test, "failed") for test in there)
        share = 100 * here["passed"] / max(1, len(there))
        reason = library.reasons if here["passed"] < len(there) else ""
        rows.append(f"| {name} | {library.package.split('==')[1]} | {len(there):,} | {here['passed']:,} | {share:.1f} % | {reason} |")
    return rows


def page(rows: list[str]) -> str:
    """docs/built-on.md."""
    return "\n".join(
        [
            "# Libraries that stand on TensorFlow",
            "",
            "Each library is taken unchanged from the package index, and its own tests are run twice: with TensorFlow 2.21, and with",
            "Pullback under `pullback run`. The share says how many of the tests that pass on TensorFlow pass on Pullback.",
            "`make built-on` makes the table.",
            "",
            "| library | version | pass on TensorFlow | of those on Pullback | share | what is missing |",
            "|---|---|--:|--:|--:|---|",
            *rows,
            "",
            "## What TensorFlow Probability lacks",
            "",
            "Of TensorFlow Probability 0.25, with the tf_keras 2.21 that it imports, the table has test files that run in some seconds.",
            "Of a larger sample, every tenth of its 461 files and of these the tests of the first 14 seconds, 1,139 pass on "
            "TensorFlow 2.21",
            "and 1,128 of these here: 99.0 %. What is missing:",
            "",
            "- in the sample: optimizers of tf_keras's older kind in graphs of TensorFlow 1 (4), specs of composite values as "
            "protocol buffers (3), a",
            "  tensor that one `tf.function` leaves for another (2), models of tf_keras in graphs: their count of steps, a bias "
            "that is not there (2);",
            "- of tf_keras: mixed precision's `LossScaleOptimizer`, feature columns, LSTM and GRU in graphs (cuDNN's is traced too);",
            "- `tf.vectorized_map` over a composite value of the library's own;",
            "- some sizes computed from parts of shapes (`tf.zeros([2 * tf.shape(x)[1]])`) are not known while a graph is built;",
            "- operators taken from the class `tf.Tensor` for other classes refuse `bool` with another error;",
            "- the AutoGraph converters of `experimental.auto_batching`.",
            "",
            "## Libraries without a row",
            "",
            "- PennyLane 0.45: its package ships no tests. Circuits run with TensorFlow's tensors, gradients too; its "
            "repository's tests are not counted yet.",
            "- DeepXDE 1.15 ships no tests. It is imported with both of its TensorFlow backends.",
            "- cleverhans 3.0.1, what the package index has, ships one test, of formatting. Its attacks have not been tried.",
            "- pyhf 0.7.6 and TensorLy 0.10 take Pullback as their TensorFlow backend; their tests are not counted yet.",
            "",
        ]
    )


def main() -> None:
    """Run the tests of libraries, and print or write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tensorflow", default=sys.executable)
    parser.add_argument("--results", type=Path, default=Path.home() / ".cache" / "pullback-built-on")
    parser.add_argument("--page", action="store_true", help="write docs/built-on.md")
    parser.add_argument("--requirements", action="store_true", help="print what both environments need")
    parser.add_argument("names", nargs="*", default=list(LIBRARIES))
    options = parser.parse_args()
    if options.requirements:
        print("\n".join([*(library.needs or library.package for library in LIBRARIES.values()), *TOOLS]))
        return
    options.results.mkdir(parents=True, exist_ok=True)
    for name in options.names:
        for side, python in (("tensorflow", options.tensorflow), ("pullback", sys.executable)):
            results = options.results / f"{name}-{side}.xml"
            if not results.exists():
                print(f"{name} on {side} ...", flush=True)
                run(python, LIBRARIES[name], fetch(LIBRARIES[name], options.results), results, side == "tensorflow")
    rows = compare(options.results, options.names)
    if options.page:
        PAGE.write_text(page(rows), encoding="utf-8")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
