"""The version of this package, as pyproject.toml has it, and that of the TensorFlow whose names and answers these are."""

from .export import export

VERSION = "0.2.0"
TENSORFLOW_VERSION = export("version.VERSION", v1="VERSION")("2.21.0")
GIT_VERSION = export("version.GIT_VERSION", v1="GIT_VERSION")("pullback")
