# Needs Python 3.11 or later, make and a package index. Every target makes the virtual environment it needs.
#   make demo     run TensorFlow programs about gradients, and show their answers
#   make test     the tests, each law for some rows of every operation        make lint    ruff, mypy, import-linter
#   make array-api  the public suite of the array API standard, which git fetches once for all clones (SUITE: another place for it)
#   make keras    the tests that Keras brings with it, on Pullback, and those that do not pass there on TensorFlow
#   make built-on  the tests of libraries that stand on TensorFlow, on it and on Pullback (docs/built-on.md)
#   make test-all  the tests with every row of the case table, then those of graphs and functions with every plan compiled,
#                 an hour's random programs, and the array API's suite at more examples
#   make package  build the wheel and the source distribution, and try both, and the oldest of every dependency, away from the source
#   make site     the documentation as a site in site/: its notebooks are run, and a broken link is an error
#   make golden   remake the golden values with TensorFlow
#   make against  hold Pullback against TensorFlow: its docstrings' examples, random programs, calls right and wrong, threads and kills (docs/against.md)
#   make bench    measure Pullback and its peers   make docs    write the tables of docs/ anew
#   make homes    write down anew which module defines which operation
#   make exports  write the table of public names and the stubs anew, from the marks of the source
#   make clean    remove the environments
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.PHONY: demo test test-first-half test-second-half test-all keras built-on array-api array-api-suite lint bench golden against homes exports docs clean site
.DEFAULT_GOAL := test

PYTHON ?= python3
PEERS := torch jax autograd casadi tensorflow
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# $(call venv,DIRECTORY,WHAT PIP INSTALLS): a fresh environment, stamped once it is complete.
define venv
@command -v $(PYTHON) >/dev/null || { echo "Pullback needs Python 3.11 or later; '$(PYTHON)' was not found. Name one: make PYTHON=python3.12" >&2; exit 1; }
@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Pullback needs Python 3.11 or later; %s is %s. Name another: make PYTHON=python3.12" % (sys.executable, sys.version.split()[0]))'
@echo "setting up $(1)"
@$(PYTHON) -m venv --clear $(1) || { echo "no virtual environment could be made: install Python's venv module (Debian: python3-venv)" >&2; exit 1; }
@$(1)/bin/python -m pip install --quiet --retries 2 $(2)
@touch $(1)/.ready
endef

.venv/.ready: pyproject.toml
	$(call venv,.venv,--editable .)
.venv-dev/.ready: pyproject.toml
	$(call venv,.venv-dev,--editable '.[dev]')
.venv-site/.ready: pyproject.toml
	$(call venv,.venv-site,--editable '.[site]')
.venv-bench/.ready: pyproject.toml
	$(call venv,.venv-bench,. matplotlib)
.venv-tensorflow/.ready:
	$(call venv,.venv-tensorflow,'tensorflow-cpu==2.21.*')
.venv-libraries/.ready:
	$(call venv,.venv-libraries,--editable .)
.venv-torch/.ready:
	$(call venv,.venv-torch,--extra-index-url https://download.pytorch.org/whl/cpu 'torch==2.13.*' numpy)
.venv-jax/.ready:
	$(call venv,.venv-jax,jax)
.venv-autograd/.ready:
	$(call venv,.venv-autograd,autograd)
.venv-casadi/.ready:
	$(call venv,.venv-casadi,casadi)

# The author of the last program shows the error it ends with: it fetches a gradient that is None.
FAILS := examples/seeds/unrelated_is_none.py
demo: .venv/.ready
	@for program in $(filter-out $(FAILS),$(wildcard examples/seeds/*.py)); do \
	  printf '\n=== pullback run %s\n' "$$program"; \
	  .venv/bin/pullback run "$$program" || exit 1; \
	done
	@printf '\n=== pullback run %s (ends with an error, as its author shows)\n' "$(FAILS)"
	@! .venv/bin/pullback run "$(FAILS)"

# Two processes at once, for two cores. What failed in either stands at the end of what is shown.
FAILURES := ^(FAILED|ERROR|E  |Fatal Python error|  File )
test: .venv-dev/.ready
	$(MAKE) --jobs 2 --keep-going test-first-half test-second-half || { grep -E '$(FAILURES)' .test-*-half.log; exit 1; }
test-first-half: .venv-dev/.ready
	.venv-dev/bin/python -m pytest tests docs --ignore-glob='tests/test_[am-z]*.py' 2>&1 | tee .$@.log
test-second-half: .venv-dev/.ready
	.venv-dev/bin/python -m pytest tests/test_[am-z]*.py src 2>&1 | tee .$@.log

# The suite is no package. The checkout is pinned, and kept where every clone of Pullback finds it.
SUITE_REVISION := 55fcc60179efa2680ddd6cd926ddf17b83530e2b
SUITE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pullback/array-api-tests-$(SUITE_REVISION)
array-api-suite: $(SUITE)/array-api/spec
$(SUITE)/array-api/spec:
	rm -rf '$(SUITE).partial' && mkdir -p '$(dir $(SUITE))'
	GIT_TERMINAL_PROMPT=0 git clone --quiet --recurse-submodules https://github.com/data-apis/array-api-tests '$(SUITE).partial'
	git -C '$(SUITE).partial' checkout --quiet --recurse-submodules $(SUITE_REVISION)
	mv '$(SUITE).partial' '$(SUITE)'

# What fails, and why, stands in docs/array-api.md.
EXAMPLES ?= 20
SEED ?= 1
array-api: .venv-dev/.ready array-api-suite
	.venv-dev/bin/python -m pip install --quiet ndindex pytest-json-report
	cd '$(SUITE)' && PYTHONPATH='$(CURDIR)/src:$(CURDIR)/tests' ARRAY_API_TESTS_VERSION=2024.12 \
	  ARRAY_API_TESTS_MODULE="exec('from array_api_suite import start; xp = start()')" '$(CURDIR)/.venv-dev/bin/python' -m pytest -q -W ignore \
	  --rootdir=. -p no:cacheprovider --hypothesis-disable-deadline --hypothesis-max-examples $(EXAMPLES) --hypothesis-seed=$(SEED) \
	  --xfails-file='$(CURDIR)/tests/array_api_xfails.txt' array_api_tests

keras: .venv-dev/.ready .venv-tensorflow/.ready
	.venv-dev/bin/python -m tests.keras_suite --requirements | xargs .venv-tensorflow/bin/python -m pip install --quiet
	.venv-dev/bin/python -m tests.keras_suite --requirements | xargs .venv-dev/bin/python -m pip install --quiet
	.venv-dev/bin/python -m pip install --quiet --no-deps tf_keras
	.venv-tensorflow/bin/python -m pip install --quiet tf_keras
	.venv-dev/bin/python -m tests.keras_suite --tensorflow '$(CURDIR)/.venv-tensorflow/bin/python'

built-on: .venv-libraries/.ready .venv-tensorflow/.ready
	python3 -m tests.library_suites --requirements | xargs .venv-libraries/bin/python -m pip install --quiet
	python3 -m tests.library_suites --requirements | xargs .venv-tensorflow/bin/python -m pip install --quiet
	.venv-libraries/bin/python -m tests.library_suites --page --tensorflow '$(CURDIR)/.venv-tensorflow/bin/python'

COMPILED := golden_programs function loops train custom checkpointed autograph_lists ref_variables hessians interop
HOURS ?= 1
test-all: .venv-dev/.ready
	.venv-dev/bin/python -m pytest --every-row
	PULLBACK_JIT=1 .venv-dev/bin/python -m pytest $(COMPILED:%=tests/test_%.py)
	.venv-dev/bin/python -m tests.random_programs --first 150 --hours $(HOURS)
	$(MAKE) array-api EXAMPLES=100 SEED=random

lint: .venv-dev/.ready
	.venv-dev/bin/ruff check
	.venv-dev/bin/mypy
	.venv-dev/bin/lint-imports --no-logo

# $(call try_package,WHAT PIP INSTALLS): in a fresh environment, away from the source.
define try_package
$(PYTHON) -m venv --clear .venv-package
.venv-package/bin/python -m pip install --quiet --retries 2 $(1)
.venv-package/bin/python -I tests/package_smoke.py
endef
OLDEST := import tomllib; print(*(d.replace(">=", "==") for d in tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"]), sep="\n")
package: .venv-dev/.ready
	rm -rf dist
	.venv-dev/bin/python -m build --outdir dist > /dev/null
	$(call try_package,dist/*.whl)
	$(call try_package,dist/*.tar.gz)
	@if .venv-dev/bin/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then $(MAKE) oldest; \
	  else echo "NOT RUN: the oldest dependencies are tried with the oldest Python, 3.11" >&2; fi
oldest: .venv-dev/.ready
	.venv-dev/bin/python -c '$(OLDEST)' > dist/oldest.txt
	$(call try_package,dist/*.whl --requirement dist/oldest.txt)

golden: .venv-tensorflow/.ready
	TF_CPP_MIN_LOG_LEVEL=3 CUDA_VISIBLE_DEVICES= .venv-tensorflow/bin/python -m tests.golden.make
	TF_CPP_MIN_LOG_LEVEL=3 CUDA_VISIBLE_DEVICES= .venv-tensorflow/bin/python -m tests.golden.make_replicas

PROGRAMS ?= 1000
CALLS ?= 20000
against: .venv-tensorflow/.ready
	.venv-tensorflow/bin/python -m pip install --quiet --editable '.[images]'
	.venv-tensorflow/bin/python -m tests.against --programs $(PROGRAMS) --calls $(CALLS)

bench: .venv-bench/.ready $(PEERS:%=.venv-%/.ready)
	.venv-jax/bin/python -m pip install --quiet keras
	.venv-bench/bin/python -m pip install --quiet --force-reinstall --no-deps .
	.venv-bench/bin/python -m benchmarks
	.venv-bench/bin/python -m benchmarks engine
	.venv-bench/bin/python -m benchmarks fit

site: .venv-site/.ready
	NO_MKDOCS_2_WARNING=1 PULLBACK_PROGRESS=0 .venv-site/bin/python -m mkdocs build --quiet

homes: .venv-dev/.ready
	.venv-dev/bin/python docs/make_homes.py

exports: .venv-dev/.ready
	.venv-dev/bin/python docs/make_exports.py

docs: .venv-dev/.ready
	.venv-dev/bin/python docs/make_ops.py
	.venv-dev/bin/python docs/make_coverage.py
	.venv-dev/bin/python docs/make_house.py
	.venv-dev/bin/python docs/make_names.py
	.venv-dev/bin/python docs/make_pictures.py
	.venv-dev/bin/python docs/make_walk.py
	.venv-dev/bin/python docs/make_why.py

clean:
	rm -rf .venv .venv-*
