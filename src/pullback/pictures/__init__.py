"""Pictures of programs and values, as SVG and HTML: of boxes, arrows and arrays; what an operation is, is not known here."""
