"""Operations under the names and forms that TensorFlow had before."""
