"""TensorFlow 2's face: every name of `tf` that Pullback has."""

from ...base.export import export
from ...base.version import TENSORFLOW_VERSION
from ...interop.faces import fill_namespace

__version__ = TENSORFLOW_VERSION  # of the TensorFlow whose names and answers these are
export("compat.v2")(__name__)
__path__: list[str] = []  # the namespaces in it are made by interop/faces.py; there are only stubs in this directory
fill_namespace(__name__, "tf")
