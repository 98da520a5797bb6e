"""A report as text, CSV, JSON and a folder of files."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import orjson
import pytest

from evaluation.errors import InputError
from evaluation.report.files import csv_of, json_of, text_of, write_report
from evaluation.report.model import Bars, Column, Matrix, Report, Section, Table

NAN = float("nan")
TABLE = Table(
    "recall",
    "Recall",
    (
        Column("system"),
        Column("queries", "count"),
        Column("R@1", "share"),
        Column("95%", "interval"),
        Column("p", "p"),
    ),
    (("mine", 5656, 0.6472772, (0.61, 0.665), 0.0004), ("other, <b>", 0, NAN, (NAN, NAN), None)),
    "A note.",
)
REPORT = Report(
    "localization",
    "Phrase localization on small",
    (("Data set", "small"),),
    (
        Section("Recall", "Words & more.", (TABLE, Bars("Bars", ("people",), {"mine": [0.5]}))),
        Section("Errors", "", (Matrix("confusion", "Types", ("a", "b"), ("a", "b"), ((0, 4), (1, 0))),)),
    ),
)


def test_a_table_on_the_screen_has_its_columns_below_one_another() -> None:
    assert text_of(TABLE).splitlines() == [
        "Recall",
        "system      queries     R@1           95%        p",
        "----------  -------  ------  ------------  -------",
        "mine          5,656  64.73%  61.0 to 66.5  < 0.001",
        "other, <b>        0       –             –        –",
        "A note.",
    ]


def test_csv_has_plain_numbers_and_two_columns_for_an_interval() -> None:
    rows = list(csv.reader(io.StringIO(csv_of(TABLE))))
    assert rows == [
        ["system", "queries", "R@1", "95% from", "95% to", "p"],
        ["mine", "5656", "0.6472772", "0.61", "0.665", "0.0004"],
        ["other, <b>", "0", "", "", "", ""],
    ]


def test_json_has_every_table_and_null_for_what_is_not_known() -> None:
    found = orjson.loads(json_of(REPORT))
    assert found["facts"] == {"Data set": "small"}
    assert found["tables"]["recall"] == [
        {"system": "mine", "queries": 5656, "R@1": 0.6472772, "95%": [0.61, 0.665], "p": 0.0004},
        {"system": "other, <b>", "queries": 0, "R@1": None, "95%": [None, None], "p": None},
    ]
    assert found["tables"]["confusion"][0] == {"name": "a", "a": 0, "b": 4}


def test_a_report_is_written_into_a_new_folder_and_replaces_an_earlier_one(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    assert write_report(REPORT, out) == out / "report.html"
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    assert set(first) == {"report.html", "report.json", "recall.csv", "confusion.csv"}
    write_report(REPORT, out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == first
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_nothing_but_a_report_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match=r"holds thesis\.tex, which is no part of a report"):
        write_report(REPORT, tmp_path)
    with pytest.raises(InputError, match="is a file"):
        write_report(REPORT, tmp_path / "thesis.tex")
    with pytest.raises(InputError, match="cannot be written"):
        write_report(REPORT, tmp_path / "thesis.tex" / "out")
    assert (tmp_path / "thesis.tex").read_text() == "precious"


def test_files_of_other_tables_go_and_the_current_folder_is_replaced_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for out in (Path(), tmp_path / "link"):
        monkeypatch.chdir(tmp_path / "real")
        write_report(REPORT, out)
        fewer = Report("localization", "Less", (), (Section("Recall", "", (TABLE,)),))
        assert write_report(fewer, out).read_text().count("Less") == 2
        assert {path.name for path in out.iterdir()} == {"report.html", "report.json", "recall.csv"}


def test_a_csv_file_beside_a_report_is_kept(tmp_path: Path) -> None:
    write_report(REPORT, tmp_path)
    (tmp_path / "mine.csv").write_text("precious")
    with pytest.raises(InputError, match=r"holds mine\.csv, which is no part of a report"):
        write_report(REPORT, tmp_path)
    assert (tmp_path / "mine.csv").read_text() == "precious"


@pytest.mark.parametrize("numbers", ["", "[]", '{"tables": 3}'])
def test_a_folder_whose_numbers_are_no_reports_is_not_replaced(numbers: str, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(numbers)
    with pytest.raises(InputError, match=r"holds report\.json, which is no part"):
        write_report(REPORT, tmp_path)


def test_a_folder_with_other_csv_files_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("precious")
    with pytest.raises(InputError, match=r"holds mine\.csv, which is no part of a report"):
        write_report(REPORT, tmp_path)
