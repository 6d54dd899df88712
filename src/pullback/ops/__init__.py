"""The operations: one record and one public function each, by family."""
