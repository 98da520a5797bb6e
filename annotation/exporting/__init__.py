"""Export of a project's annotation as a data set.

docs/exporting.md says what is written, left out and counted.

`dataset` is the service. `images` reads a chunk of images, `crowd` and `gold` read their chains. `folder`
makes the result appear at once, `earlier` says which folder it may replace. `manifest` describes the export,
and `summary` does so in words.
"""
