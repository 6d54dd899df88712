"""The service of datasets in one process: what the goldens (data_service) do not say."""

from __future__ import annotations

from pathlib import Path

import pytest

import pullback as tf

service = tf.data.experimental.service


def test_a_service_writes_what_load_reads(tmp_path: Path) -> None:
    dispatcher = service.DispatchServer(service.DispatcherConfig(fault_tolerant_mode=True, work_dir=str(tmp_path / "work")))
    address = dispatcher.target.split("://")[1]
    folder = str(tmp_path / "saved")
    tf.data.experimental.distributed_save(tf.data.Dataset.range(5), folder, address)
    assert [int(i) for i in tf.data.Dataset.load(folder, wait=True)] == [0, 1, 2, 3, 4]
    plain = service.DispatchServer()
    with pytest.raises(tf.errors.InvalidArgumentError, match="fault tolerant mode"):
        tf.data.experimental.distributed_save(tf.data.Dataset.range(5), folder, plain.target)


def test_workers_that_come_and_go_count_when_a_dataset_is_gone_through() -> None:
    dispatcher = service.DispatchServer()
    dataset = tf.data.Dataset.range(2).repeat().apply(service.distribute("parallel_epochs", dispatcher.target)).take(4)
    with pytest.raises(tf.errors.UnavailableError, match="has no worker"):
        list(dataset)
    workers = [service.WorkerServer(service.WorkerConfig(dispatcher.target.split("://")[1])) for _ in range(2)]
    assert [int(i) for i in dataset] == [0, 0, 1, 1]
    workers.pop()
    assert [int(i) for i in dataset] == [0, 1, 0, 1]


def test_what_is_not_of_this_process_is_refused() -> None:
    with pytest.raises(tf.errors.UnavailableError, match="no dispatcher of this process serves at"):
        tf.data.Dataset.range(2).apply(service.distribute("parallel_epochs", "grpc://elsewhere:5000"))
    with pytest.raises(NotImplementedError, match="take OFF or DYNAMIC"):
        service.distribute(service.ShardingPolicy.FILE, "grpc://localhost:1")
    with pytest.raises(NotImplementedError, match="leave them None"):
        service.distribute("parallel_epochs", "grpc://localhost:1", consumer_index=0, num_consumers=2)


def test_a_port_has_one_dispatcher() -> None:
    first = service.DispatchServer(service.DispatcherConfig(port=6001))
    with pytest.raises(tf.errors.AlreadyExistsError):
        service.DispatchServer(service.DispatcherConfig(port=6001))
    assert first.target == "grpc://localhost:6001"
