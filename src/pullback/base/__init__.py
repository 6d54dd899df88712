"""What everything else stands on: dtypes, shapes, nests and errors. Nothing here knows of tensors or operations."""
