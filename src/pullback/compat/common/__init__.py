"""Names that are the same in both of TensorFlow's versions; the faces load what these stand for."""
