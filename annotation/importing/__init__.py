"""Import of a corpus from a format's records. docs/importing.md says what is kept, checked and reported.

`corpus` goes through the input, `stream` groups it, and `prepare` tokenises captions and finds mentions (in
separate processes, hence without Django). `pictures` checks and stores image files.
`write`, `captions` and `gold` write the rows of one chunk.
"""
