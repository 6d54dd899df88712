"""The names of `pullback.compat.v1.layers`, written by docs/make_exports.py."""

from pullback.tensorflow.layers.classes import AveragePooling1D
from pullback.tensorflow.layers.classes import AveragePooling2D
from pullback.tensorflow.layers.classes import BatchNormalization
from pullback.tensorflow.layers.classes import Conv1D
from pullback.tensorflow.layers.classes import Conv2D
from pullback.tensorflow.layers.classes import Conv2DTranspose
from pullback.tensorflow.layers.classes import Conv3D
from pullback.tensorflow.layers.classes import Dense
from pullback.tensorflow.layers.classes import Dropout
from pullback.tensorflow.layers.classes import Flatten
from pullback.tensorflow.layers.classes import Layer
from pullback.tensorflow.layers.classes import MaxPooling1D
from pullback.tensorflow.layers.classes import MaxPooling2D
from pullback.tensorflow.layers.classes import SeparableConv2D
from pullback.tensorflow.layers.convolutions import average_pooling1d
from pullback.tensorflow.layers.convolutions import average_pooling2d
from pullback.tensorflow.layers.convolutions import conv1d
from pullback.tensorflow.layers.convolutions import conv2d
from pullback.tensorflow.layers.convolutions import conv2d_transpose
from pullback.tensorflow.layers.convolutions import conv3d
from pullback.tensorflow.layers.convolutions import max_pooling1d
from pullback.tensorflow.layers.convolutions import max_pooling2d
from pullback.tensorflow.layers.convolutions import separable_conv2d
from pullback.tensorflow.layers.functions import batch_normalization
from pullback.tensorflow.layers.functions import dense
from pullback.tensorflow.layers.functions import dropout
from pullback.tensorflow.layers.functions import flatten

__all__ = [
    "AveragePooling1D",
    "AveragePooling2D",
    "BatchNormalization",
    "Conv1D",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Dense",
    "Dropout",
    "Flatten",
    "Layer",
    "MaxPooling1D",
    "MaxPooling2D",
    "SeparableConv2D",
    "average_pooling1d",
    "average_pooling2d",
    "batch_normalization",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "dense",
    "dropout",
    "flatten",
    "max_pooling1d",
    "max_pooling2d",
    "separable_conv2d",
]
