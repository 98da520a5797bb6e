"""The full-text index of captions: which captions have these words, in any order.

It indexes tokens, and folds upper and lower case. It knows no language, since captions may be in any. On
PostgreSQL, it is an index on an expression. On SQLite, it is a table of FTS5 that refers to the captions, and
triggers keep it. Every `migrate` installs what is missing, because Django loses a table's triggers when it
makes the table anew. `tests/annotation/test_caption_words.py` holds that both find the same.
"""

from __future__ import annotations

import re
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Func, Value
from django.db.models.sql.compiler import SQLCompiler

from annotation.transactions import write_transaction

_TABLE = "annotation_caption"
_INDEX = "caption_words"
# PostgreSQL would take some words with such marks as the name of a file or a host.
_MARKS = re.compile(r"[\s/.\-_:@'’]+")
_SPLIT = "translate({}, '/.-_:@''’', '        ')"
_VECTOR = f"to_tsvector('simple', {_SPLIT})"
_ADD = f"INSERT INTO {_INDEX} (rowid, tokens) VALUES (new.id, new.tokens);"  # noqa: S608
_REMOVE = f"INSERT INTO {_INDEX} ({_INDEX}, rowid, tokens) VALUES ('delete', old.id, old.tokens);"  # noqa: S608
_TRIGGERS = {
    f"{_INDEX}_insert": f"AFTER INSERT ON {_TABLE} BEGIN {_ADD} END",
    f"{_INDEX}_delete": f"AFTER DELETE ON {_TABLE} BEGIN {_REMOVE} END",
    f"{_INDEX}_update": f"AFTER UPDATE OF id, tokens ON {_TABLE} BEGIN {_REMOVE} {_ADD} END",
}


class HasWords(Func):
    """The condition that a caption has all these words. Without a letter or digit, no caption has them."""

    output_field = BooleanField()

    def __init__(self, words: str) -> None:
        kept = [word for word in re.split(_MARKS, words) if any(map(str.isalnum, word))]
        self._words = kept
        super().__init__(F("pk"), F("tokens"), Value(" ".join(kept)))

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_: Any
    ) -> tuple[str, Any]:
        """Ask for it in the words of the index."""
        tokens, words = self.source_expressions[1:]
        document, first = compiler.compile(tokens)
        query, second = compiler.compile(words)
        asked = f"plainto_tsquery('simple', {_SPLIT.format(query)})"
        return f"{_VECTOR.format(document)} @@ {asked}", (*first, *second)

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_: Any) -> tuple[str, Any]:
        """Look the words up. Within quotes, no word is an operator of FTS5."""
        if not self._words:
            return "0", ()
        sql, params = compiler.compile(self.source_expressions[0])
        quoted = " ".join('"{}"'.format(word.replace('"', '""')) for word in self._words)
        found = f"SELECT rowid FROM {_INDEX} WHERE {_INDEX} MATCH %s"  # noqa: S608
        return f"{sql} IN ({found})", (*params, quoted)


def keep_caption_words(**_: Any) -> None:
    """Install the index where it is missing. For `post_migrate`; running it again is no harm."""
    with write_transaction(), connection.cursor() as cursor:
        if _TABLE not in connection.introspection.table_names(cursor):
            return  # the migrations were undone
        if connection.vendor == "postgresql":
            cursor.execute("SELECT to_regclass(%s)", [_INDEX])
            if cursor.fetchone()[0] is None:
                cursor.execute(f"CREATE INDEX {_INDEX} ON {_TABLE} USING gin (({_VECTOR.format('tokens')}))")
            return
        cursor.execute("SELECT name FROM sqlite_master WHERE name LIKE %s", [f"{_INDEX}%"])
        there = {name for (name,) in cursor.fetchall()}
        if there.issuperset({_INDEX, *_TRIGGERS}):
            return
        cursor.execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS {_INDEX} USING fts5"
            f" (tokens, content='{_TABLE}', content_rowid='id', tokenize='unicode61 remove_diacritics 0')"
        )
        for name, does in _TRIGGERS.items():
            cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {does}")
        cursor.execute(f"INSERT INTO {_INDEX} ({_INDEX}) VALUES ('rebuild')")  # noqa: S608
