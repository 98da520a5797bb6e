"""Systems of the papers, learnt from an export, without a GPU or a download.

This package imports `evaluation`, and neither Django nor Groundcrew's other packages.
"""
