"""Finds the images and mentions of a data set by what prediction files call them."""

from __future__ import annotations

from evaluation.dataset import Dataset, Mention, MentionKey
from evaluation.localization import Queries

_NO_BOX = -1


class Lookup:
    """The images and mentions of a data set by name and by key.

    `queried` is what errors call the mentions that are queries. `has_truth` says whether the boxes of the
    queries are true ones, and no placeholders.
    """

    def __init__(
        self,
        dataset: Dataset,
        queries: Queries,
        queried: str = "mentions with a box",
        *,
        has_truth: bool = True,
    ) -> None:
        self.queried, self.has_truth = queried, has_truth
        self.dataset, self.queries = dataset, queries
        self.image_places = {image.name: place for place, image in enumerate(dataset.images)}
        stems: dict[str, int | None] = {}
        for name, place in self.image_places.items():
            stem = name.rpartition(".")[0] or name
            stems[stem] = None if stem in stems else place
        self._stems = stems
        self._rows = {mention.key: _NO_BOX for image in dataset.images for mention in image.mentions()}
        self._rows.update({key: row for row, key in enumerate(queries.keys)})

    def image(self, name: str | int) -> int | None:
        """Return the place of an image from its file name, with or without its suffix, or None."""
        place = self.image_places.get(str(name))
        return self._stems.get(str(name)) if place is None else place

    def row(self, key: MentionKey) -> int | None:
        """Return the query of a mention, or None if it has no box or does not exist."""
        row = self._rows.get(key, _NO_BOX)
        return None if row == _NO_BOX else row

    def mentions_of(self, image: int, phrase: str, caption: int | None = None) -> list[Mention]:
        """Return the mentions in an image with these letters, in upper or lower case, in their order.

        Spaces make no difference: `A man's arm` has the tokens `A`, `man`, `'s` and `arm`. If the number of a
        caption is given, only its mentions count.
        """
        letters = letters_of(phrase)
        return [
            mention
            for mention in self.dataset.images[image].mentions()
            if caption in (None, mention.key.caption) and letters_of(mention.phrase) == letters
        ]

    def is_mention(self, key: MentionKey) -> bool:
        """Return whether the data set has this mention, with or without a box."""
        return key in self._rows

    def name(self, row: int) -> str:
        """Return what reports call a query."""
        return name_of(self.queries.keys[row])


def letters_of(text: str) -> str:
    """Return a text in lower case, without its spaces. Texts that differ in spaces alone become equal.

    >>> letters_of("A man 's arm") == letters_of("a man's arm")
    True
    """
    return "".join(text.lower().split())


def name_of(key: MentionKey) -> str:
    """Return what reports call a mention.

    >>> name_of(MentionKey("a.jpg", 0, 2, 4))
    'a.jpg caption 0 tokens 2 to 4'
    """
    return f"{key.image} caption {key.caption} tokens {key.start} to {key.end}"
