from __future__ import annotations

import gzip
from itertools import islice

import pytest

from annotation.languages import foreign_language, is_tag, primary
from tests.shared import shared

GERMAN = """Ein Mann in einem roten Hemd steht auf der Straße.
Zwei Hunde spielen im Schnee.
Eine Frau hält ein Kind an der Hand.
Drei Männer arbeiten auf einer Baustelle.
Eine Gruppe von Menschen sitzt an einem Tisch.
Ein brauner Hund rennt über die Wiese.
Ein Radfahrer fährt durch den Wald.
Mehrere Leute warten auf den Bus.
Ein Koch bereitet Essen in einer Küche zu.
Menschen auf einem Marktplatz.""".splitlines()
FRENCH = """Un homme en chemise rouge marche dans la rue.
Deux chiens jouent dans la neige.
Une femme tient un enfant par la main.
Trois hommes travaillent sur un chantier.
Un groupe de personnes est assis à une table.
Un chien brun court dans l'herbe.
Plusieurs personnes attendent le bus.
Un cuisinier prépare un repas dans une cuisine.
Ouvriers avec des casques jaunes.
Des gens sur une place.""".splitlines()


@pytest.mark.parametrize(("captions", "language"), [(GERMAN, "de"), (FRENCH, "fr")])
def test_captions_in_another_language_are_found(captions: list[str], language: str) -> None:
    found = [foreign_language(caption, "en") for caption in captions]
    assert found.count(language) >= 0.8 * len(captions)
    assert set(found) <= {language, ""}
    assert not any(foreign_language(caption, language) for caption in captions)


def test_english_captions_are_foreign_to_a_german_project() -> None:
    assert foreign_language("A man in a red shirt is standing in the street.", "de") == "en"


def test_real_english_captions_are_never_taken_for_others() -> None:
    path = shared("data", "flickr30k", "captions.token.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        captions = [line.split("\t", 1)[1] for line in islice(lines, 5_000)]
    assert [caption for caption in captions if foreign_language(caption, "en")] == []


@pytest.mark.parametrize("text", ["", "Rot", "123 456", "👍", "Frau in Rot."])
def test_what_is_not_sure_is_not_foreign(text: str) -> None:
    assert foreign_language(text, "en") == ""


def test_nobody_can_tell_a_language_without_a_model() -> None:
    assert foreign_language(GERMAN[0], "tlh") == ""


def test_languages_that_are_much_alike_are_not_told_apart() -> None:
    danish = "En mand i en rød skjorte går på gaden med sin hund, og to børn leger i haven."
    assert foreign_language(danish, "no") == foreign_language(danish, "nb") == ""
    assert foreign_language(danish, "en") == "da"


@pytest.mark.parametrize(
    ("tag", "valid"), [("en", True), ("pt-BR", True), ("German", False), ("", False), ("d-e", False)]
)
def test_a_tag_has_a_form(tag: str, valid: bool) -> None:
    assert is_tag(tag) is valid


def test_a_region_is_no_other_language() -> None:
    assert primary("en-GB") == primary("EN") == "en"
