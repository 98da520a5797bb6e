"""Corpus in: records of a format -> models. docs/importing.md says what is kept, checked and reported.

`corpus` goes through the input, `streaming` groups it, `preparing` tokenises and finds mentions (in processes
of their own, hence without Django), `fetching` and `pictures` check and store image files, `writing`,
`captions` and `gold` write the rows of one chunk.
"""
