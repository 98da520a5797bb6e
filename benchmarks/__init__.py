"""Programs that measure how fast the product is: docs/benchmarks.md."""
