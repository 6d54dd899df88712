"""The test suite; a package so that the case table can be imported by the golden maker too."""
