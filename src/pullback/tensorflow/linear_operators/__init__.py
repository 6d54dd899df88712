"""`tf.linalg.LinearOperator` and its kinds: matrices known by what they do."""

from .blocks import LinearOperatorBlockDiag, LinearOperatorBlockLowerTriangular
from .circulant import LinearOperatorCirculant, LinearOperatorCirculant2D, LinearOperatorCirculant3D
from .composed import LinearOperatorAdjoint, LinearOperatorComposition, LinearOperatorInversion
from .conjugate_gradient import conjugate_gradient
from .dense import LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from .diagonal import LinearOperatorDiag, LinearOperatorIdentity, LinearOperatorScaledIdentity
from .kronecker import LinearOperatorKronecker, LinearOperatorLowRankUpdate
from .operator import LinearOperator
from .structured import LinearOperatorHouseholder, LinearOperatorPermutation, LinearOperatorToeplitz, LinearOperatorTridiag
from .zeros import LinearOperatorZeros

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorBlockLowerTriangular",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorPermutation",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
    "LinearOperatorZeros",
    "conjugate_gradient",
]
