"""The names of `pullback.compat.v1.layers`, written by docs/make_exports.py."""

from pullback.tensorflow.layers.classes import AveragePooling1D as AveragePooling1D
from pullback.tensorflow.layers.classes import AveragePooling2D as AveragePooling2D
from pullback.tensorflow.layers.classes import BatchNormalization as BatchNormalization
from pullback.tensorflow.layers.classes import Conv1D as Conv1D
from pullback.tensorflow.layers.classes import Conv2D as Conv2D
from pullback.tensorflow.layers.classes import Conv2DTranspose as Conv2DTranspose
from pullback.tensorflow.layers.classes import Conv3D as Conv3D
from pullback.tensorflow.layers.classes import Dense as Dense
from pullback.tensorflow.layers.classes import Dropout as Dropout
from pullback.tensorflow.layers.classes import Flatten as Flatten
from pullback.tensorflow.layers.classes import Layer as Layer
from pullback.tensorflow.layers.classes import MaxPooling1D as MaxPooling1D
from pullback.tensorflow.layers.classes import MaxPooling2D as MaxPooling2D
from pullback.tensorflow.layers.classes import SeparableConv2D as SeparableConv2D
from pullback.tensorflow.layers.convolutions import average_pooling1d as average_pooling1d
from pullback.tensorflow.layers.convolutions import average_pooling2d as average_pooling2d
from pullback.tensorflow.layers.convolutions import conv1d as conv1d
from pullback.tensorflow.layers.convolutions import conv2d as conv2d
from pullback.tensorflow.layers.convolutions import conv2d_transpose as conv2d_transpose
from pullback.tensorflow.layers.convolutions import conv3d as conv3d
from pullback.tensorflow.layers.convolutions import max_pooling1d as max_pooling1d
from pullback.tensorflow.layers.convolutions import max_pooling2d as max_pooling2d
from pullback.tensorflow.layers.convolutions import separable_conv2d as separable_conv2d
from pullback.tensorflow.layers.functions import batch_normalization as batch_normalization
from pullback.tensorflow.layers.functions import dense as dense
from pullback.tensorflow.layers.functions import dropout as dropout
from pullback.tensorflow.layers.functions import flatten as flatten
from pullback.tensorflow.layers.input_spec import InputSpec as InputSpec

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
    "InputSpec",
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
