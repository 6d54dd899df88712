"""`tf.examples.tutorials.mnist.input_data`: the four files of MNIST, from a directory of this machine."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import as_dtype, float32, uint8
from ...base.export import export
from ...ir.tensor import DTypeLike

Array = np.ndarray[Any, Any]

_FILES = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}


class Datasets(NamedTuple):
    """Images and labels to train with, to validate and to test."""

    train: DataSet
    validation: DataSet
    test: DataSet


@export(v1="examples.tutorials.mnist.input_data.DataSet")
class DataSet:
    """Images and labels, given in batches, in a new order each time all have been given.

    >>> import numpy as np
    >>> data = tf1.examples.tutorials.mnist.input_data.DataSet(np.zeros([4, 2, 2, 1], np.uint8), np.arange(4), seed=1)
    >>> images, labels = data.next_batch(2, shuffle=False)
    >>> images.shape, labels.tolist(), data.epochs_completed
    ((2, 4), [0, 1], 0)
    """

    def __init__(
        self,
        images: Array,
        labels: Array,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = "float32",
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        _refuse_fakes(fake_data)
        if len(images) != len(labels):
            raise ValueError(f"images.shape: {images.shape} labels.shape: {labels.shape}")
        self._random = np.random.RandomState(seed)
        images = images.reshape(len(images), -1) if reshape else images
        kind = as_dtype(dtype)
        if kind not in (float32, uint8):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self._images = images.astype(np.float32) * np.float32(1 / 255) if kind == float32 else images
        self._labels, self._at, self._epochs = labels, 0, 0

    @property
    def images(self) -> Array:
        """The images."""
        return self._images

    @property
    def labels(self) -> Array:
        """The labels."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """How many there are."""
        return len(self._images)

    @property
    def epochs_completed(self) -> int:
        """How often all have been given."""
        return self._epochs

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Array, Array]:
        """The next images and labels; what is left of one round comes before the first of the next."""
        _refuse_fakes(fake_data)
        if self._epochs == 0 and self._at == 0 and shuffle:
            self._shuffle()
        start, self._at = self._at, self._at + batch_size
        if self._at <= self.num_examples:
            return self._images[start : self._at], self._labels[start : self._at]
        images, labels = self._images[start:], self._labels[start:]
        self._epochs += 1
        if shuffle:
            self._shuffle()
        self._at = batch_size - len(images)
        return np.concatenate([images, self._images[: self._at]]), np.concatenate([labels, self._labels[: self._at]])

    def _shuffle(self) -> None:
        order = self._random.permutation(self.num_examples)
        self._images, self._labels = self._images[order], self._labels[order]


def _refuse_fakes(fake_data: bool) -> None:
    if fake_data:
        raise NotImplementedError("fake_data is not in Pullback: give a DataSet arrays of your own")


def _read(folder: str, name: str) -> Array:
    for path in (Path(folder) / f"{name}.gz", Path(folder) / name):
        if path.is_file():
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            break
    else:
        raise FileNotFoundError(f"{os.path.join(folder, name)}.gz: Pullback downloads nothing; put the four files of MNIST there")
    rank = data[3]
    if data[:3] != b"\0\0\x08" or not rank:
        raise ValueError(f"Invalid magic number {int.from_bytes(data[:4], 'big')} in MNIST file: {path}")
    shape = np.frombuffer(data, ">i4", rank, 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape)


@export(v1="examples.tutorials.mnist.input_data.read_data_sets")
def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: DTypeLike = "float32",
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str | None = None,
) -> Datasets:
    """The images and labels of the files in `train_dir`: `train-images-idx3-ubyte.gz` and its three neighbours, compressed or not.

    Args:
        one_hot: labels as rows of 10.
        dtype: float32, from 0 to 1, or uint8.
        reshape: images as rows of 784, else [28, 28, 1].
        validation_size: how many of the first images are kept to validate.
        source_url: taken; nothing is downloaded.

    Raises:
        FileNotFoundError: a file is not there.
        NotImplementedError: `fake_data` is asked for.
        ValueError: a file is not one of MNIST's, or there are fewer images than `validation_size`.

    >>> tf1.examples.tutorials.mnist.input_data.read_data_sets("/nowhere")
    Traceback (most recent call last):
    FileNotFoundError: /nowhere/train-images-idx3-ubyte.gz: Pullback downloads nothing; put the four files of MNIST there
    """
    _refuse_fakes(fake_data)
    found = {}
    for part, (images_name, labels_name) in _FILES.items():
        images, labels = _read(train_dir, images_name)[..., None], _read(train_dir, labels_name)
        found[part] = images, np.eye(10)[labels] if one_hot else labels
    images, labels = found["train"]
    if not 0 <= validation_size <= len(images):
        raise ValueError(f"Validation size should be between 0 and {len(images)}. Received: {validation_size}.")
    options: dict[str, Any] = {"dtype": dtype, "reshape": reshape, "seed": seed}
    train = DataSet(images[validation_size:], labels[validation_size:], **options)
    return Datasets(train, DataSet(images[:validation_size], labels[:validation_size], **options), DataSet(*found["test"], **options))
