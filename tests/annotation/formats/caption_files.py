"""Tables and texts of captions as people have them, and what the import has to read from them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

RED, GREEN = "A red wall.", "A green wall."
A = {"a.jpg": [RED]}
BOTH = {"a.jpg": [RED], "b.jpg": [GREEN]}


@dataclass(frozen=True, slots=True)
class Trial:
    """A file or folder, and what is read: captions by image, and parts of the problems, in order.

    `refused` is a part of the error if nothing is read. A trial with one file gives that file, others their
    folder.
    """

    kind: str
    files: dict[str, str | bytes]
    images: dict[str, list[str]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    refused: str = ""
    format: str = ""


def _csv(
    kind: str, content: str, *problems: str, name: str = "captions.csv", images: dict[str, list[str]] = A
) -> Trial:
    return Trial(kind, {name: content}, images, problems)


def _said(kind: str, text: str, *seen: str, problem: str = "") -> Trial:
    """Return a trial of one caption, beside another one that stays."""
    entries = [{"image": "a.jpg", "text": text}, {"image": "b.jpg", "text": GREEN}]
    files: dict[str, str | bytes] = {"c.jsonl": "\n".join(map(json.dumps, entries))}
    images = {"a.jpg": list(seen)} if seen else {}
    return Trial(kind, files, {**images, "b.jpg": [GREEN]}, (problem,) if problem else ())


_B = json.dumps({"image": "b.jpg", "caption": GREEN})
MISSING = "which programs write if there is none"


TRIALS = [
    # Columns of tables
    _csv("columns of open_clip, TSV", f"filepath\ttitle\nval/a.jpg\t{RED}\n", name="c.tsv"),
    _csv("columns of open_clip, CSV", f"filepath,title\nval/a.jpg,{RED}\n"),
    _csv("image_path", f"image_path,caption\nval/a.jpg,{RED}\n"),
    _csv("img_path", f"img_path,caption\nval/a.jpg,{RED}\n"),
    _csv("ImagePath, Description", f"ImagePath,Description\nval/a.jpg,{RED}\n"),
    _csv("file_name, text", f"file_name,text\na.jpg,{RED}\n"),
    _csv("filename, sentence", f"filename;sentence\na.jpg;{RED}\n"),
    _csv("img_name, captions", f"img_name,captions\na.jpg,{RED}\n"),
    _csv("imgs, txt", f"img,txt\na.jpg,{RED}\n"),
    _csv("url", f"url,caption\nhttps://example.org/x/a.jpg?w=640,{RED}\n"),
    _csv("URL, TEXT of LAION", f"URL,TEXT\nhttps://example.org/x/a.jpg,{RED}\n"),
    _csv("url beside a file name", f"url,file_name,caption\nhttps://example.org/7,a.jpg,{RED}\n"),
    _csv(
        "url without a file name",
        f"url,caption\nhttps://example.org/7/200,{RED}\n",
        "does not end in the name of a file",
        images={},
    ),
    _csv("title beside a caption", f"image,title,caption\na.jpg,Wall,{RED}\n"),
    _csv("alt_text alone", f"image,alt_text\na.jpg,{RED}\n"),
    _csv("an index without a name (pandas)", f",image,caption\n0,a.jpg,{RED}\n"),
    _csv("Unnamed: 0 (pandas)", f"Unnamed: 0,image,caption\n0,a.jpg,{RED}\n"),
    _csv("an index without a name, TSV", f"\timage\tcaption\n0\ta.jpg\t{RED}\n", name="c.tsv"),
    _csv("an index and no names of columns", f"0,a.jpg,{RED}\n1,b.jpg,{GREEN}\n", images=BOTH),
    _csv(
        "a caption's number and no names of columns",
        f"a.jpg,0,{RED}\na.jpg,1,{GREEN}\n",
        images={"a.jpg": [RED, GREEN]},
    ),
    _csv("an id in image, the name in file_name", f"id,image,file_name,caption\n1,1,a.jpg,{RED}\n"),
    _csv("a person in name, the file in image", f"name,image,caption\nAda,a.jpg,{RED}\n"),
    _csv("name and path of one file", f"filename,filepath,caption\na.jpg,val/a.jpg,{RED}\n"),
    _csv("folder and name", f"filepath,filename,caption\nval,a.jpg,{RED}\n"),
    _csv(
        "two columns with other files",
        f"image,file,caption\na.jpg,b.jpg,{RED}\n",
        "'a.jpg' and 'b.jpg' could both be its image",
        images={},
    ),
    _csv(
        "fractions as numbers",
        f"image,caption_number,caption\na.jpg,0.0,{RED}\na.jpg,1.0,{GREEN}\n",
        images={"a.jpg": [RED, GREEN]},
    ),
    _csv(
        "a fraction that is no number",
        f"image,caption_number,caption\na.jpg,0.5,x\nb.jpg,0,{GREEN}\n",
        "'0.5' is no number below 1000",
        images={"b.jpg": [GREEN]},
    ),
    _csv("sep=; of Excel", f"sep=;\nimage;caption\na.jpg;{RED}\n"),
    _csv("sep=, in quotation marks", f'"sep=,"\nimage,caption\na.jpg,{RED}\n'),
    _csv("sep= and a tab", f"sep=\t\nimage\tcaption\na.jpg\t{RED}\n"),
    _csv("sep=; after a byte order mark", f"\ufeffsep=;\r\nimage;caption\r\na.jpg;{RED}\r\n"),
    _csv("a name that no column has", f"foo,bar\na.jpg,{RED}\n", "the first row has neither", images={}),
    # Missing values
    *[
        _csv(
            f"{text} as a caption",
            f"image,caption\na.jpg,{text}\nb.jpg,{GREEN}\n",
            MISSING,
            images={"b.jpg": [GREEN]},
        )
        for text in ("nan", "NaN", "None", "null", "N/A", "<NA>", "#N/A", "undefined")
    ],
    _csv("nan in one of two columns", f"image,caption_1,caption_2\na.jpg,{RED},nan\n", MISSING),
    _csv("Nan as a name in a caption", "image,caption\na.jpg,Nan cooks.\n", images={"a.jpg": ["Nan cooks."]}),
    Trial("nan in a file of tokens", {"c.token": f"a.jpg#0\t{RED}\na.jpg#1\tnan\n"}, A, (MISSING,)),
    Trial(
        "nan as an aligned line", {"train.en": f"{RED}\nnan\n", "train.txt": "a.jpg\nb.jpg\n"}, A, (MISSING,)
    ),
    Trial(
        "None in COCO's captions",
        {
            "c.json": json.dumps(
                {
                    "images": [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}],
                    "annotations": [{"image_id": 1, "caption": RED}, {"image_id": 1, "caption": "None"}],
                }
            )
        },
        {"a.jpg": [RED], "b.jpg": []},
        (MISSING,),
    ),
    Trial(
        "a bare NaN in a list",
        {"c.json": f'[{{"image": "a.jpg", "caption": NaN}},{_B}]'},
        {"b.jpg": [GREEN]},
        ("a.jpg has no caption",),
    ),
    Trial(
        "a bare NaN in lines",
        {"c.jsonl": f'{{"image": "a.jpg", "caption": NaN}}\n{_B}\n'},
        {"b.jpg": [GREEN]},
        ("a.jpg has no caption",),
    ),
    Trial(
        "NaN and Infinity in other fields",
        {"c.json": r'[{"image": "a.jpg", "x": [NaN, -Infinity], "caption": "A NaN, a \"NaN\"."}]'},
        {"a.jpg": ['A NaN, a "NaN".']},
    ),
    Trial(
        "a bare NaN in COCO's captions",
        {
            "c.json": '{"images": [{"id": 1, "file_name": "a.jpg", "x": NaN}], '
            '"annotations": [{"image_id": 1, "caption": "A red wall."}]}'
        },
        A,
    ),
    # What programs left in texts
    _said("entities of HTML", "A man&#39;s dog &amp; a cat&nbsp;here.", "A man's dog & a cat here."),
    _said("entities by hexadecimal numbers", "A man&#x27;s dog.", "A man's dog."),
    _said("tags of HTML", "A <b>man</b> holds a cup.<br/>A dog runs.", "A man holds a cup. A dog runs."),
    _said("a paragraph of HTML", "<p>A man.</p>", "A man."),
    _said("escaped twice", "A man&amp;#39;s dog", "A man's dog"),
    _said("tags alone", "<br>&nbsp;", problem="no visible character"),
    _said("less than", "3 < 5 and I <3 it", "3 < 5 and I <3 it"),
    _said("a zero-width space and a soft hyphen", "A d\u200bo\u00adg", "A dog"),
    _said("a byte order mark within", "\ufeffA dog", "A dog"),
    _said("marks of direction", "A \u202adog\u202c \u200fruns", "A dog runs"),
    _said("a control character", "A dog\u0007 runs", "A dog runs"),
    _said("a lost character", "A caf\ufffd", problem="U+FFFD"),
    _said("invisible characters alone", "\u200b\ufeff", problem="no visible character"),
    _said("emoji", "A dog\U0001f436 runs", "A dog\U0001f436 runs"),
    _said("10,001 characters", "x" * 10_001, problem="more than 10,000 characters"),
    # Nothing that can be told
    Trial(
        "two files of captions",
        {"a.csv": f"image,caption\na.jpg,{RED}\n", "b.token": f"a.jpg#0\t{GREEN}\n"},
        refused="a.csv like spreadsheet, b.token like flickr30k-token",
    ),
    Trial(
        "a text without names",
        {"notes.txt": "words"},
        refused="looks like none of the formats (aligned-text, coco-captions",
    ),
]
"""No two have the same kind."""
