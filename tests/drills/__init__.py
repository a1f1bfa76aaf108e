"""Drills: what is run long by hand and in a short form by the suite."""
