"""The test suite; a package so that the case table can be imported by the golden maker too.

NumPy's OpenBLAS takes its processor from the environment if that names one, ours looks at the machine: in tests both look.
"""

import os

os.environ.pop("OPENBLAS_CORETYPE", None)  # before anything imports NumPy
