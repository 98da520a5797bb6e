"""Models -> data set. docs/exporting.md says what is written, left out and counted.

`dataset` is the service; `images` reads a chunk of images, `crowd` and `gold` what is known of their chains,
`snapshot` makes the reads of a chunk consistent, `folder` makes the result appear at once, `earlier` knows
what it may replace, `manifest` tells what it is, `summary` says it in words.
"""
