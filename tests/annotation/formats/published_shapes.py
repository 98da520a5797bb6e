"""The same captions in the shapes in which caption files are published, and files that only look like such.

All names and captions are made up.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from PIL import Image as Pillow
from pyarrow import parquet

CAPTIONS: Mapping[str, tuple[str, ...]] = {
    "1000001.jpg": (
        "A man , a dog and a ball .",
        'Two girls hold a sign that says " hello " .',
        "A dog runs .",
    ),
    "1000002.jpg": ("An old woman sells 1,000 red apples .", "A café with three chairs .", "People eat ."),
    "1000003.jpg": ("Three boys, two bikes and a kite.", "A boy rides a blue bike .", "A kite in the sky ."),
}
SPLITS = dict(zip(CAPTIONS, ("train", "val", "test"), strict=True))
FOLDERS = dict(zip(CAPTIONS, ("train2014", "val2014", "val2014"), strict=True))


@dataclass(frozen=True, slots=True)
class Shape:
    """How a file or folder of captions is written into a folder, and what it says besides the captions."""

    write: Callable[[Path], Path]
    pictures: bool = False
    splits: bool = False


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def photograph(name: str) -> bytes:
    """Return a small JPEG. Each name has a width of its own."""
    buffer = io.BytesIO()
    Pillow.new("RGB", (width_of(name), 30), "white").save(buffer, "JPEG")
    return buffer.getvalue()


def width_of(name: str) -> int:
    return 40 + list(CAPTIONS).index(name)


def token_file(folder: Path) -> Path:
    """Write what everything else must equal."""
    return put(folder / "captions.token", "".join(_labelled("#{}\t")))


def _labelled(form: str) -> list[str]:
    return [
        f"{name}{form.format(index)}{text}\n"
        for name, texts in CAPTIONS.items()
        for index, text in enumerate(texts)
    ]


def _rows() -> list[tuple[str, int, str]]:
    return [(name, index, text) for name, texts in CAPTIONS.items() for index, text in enumerate(texts)]


def _karpathy(folder: Path) -> Path:
    images, sentence = [], 0
    for number, (name, texts) in enumerate(CAPTIONS.items()):
        ids = list(range(sentence, sentence + len(texts)))
        sentence += len(texts)
        sentences = [
            {"tokens": text.lower().split(), "raw": text, "imgid": number, "sentid": one}
            for one, text in zip(ids, texts, strict=True)
        ]
        images.append(
            {"sentids": ids, "imgid": number, "sentences": sentences, "split": SPLITS[name], "filename": name}
        )
    return put(folder / "dataset_flickr30k.json", json.dumps({"images": images, "dataset": "flickr30k"}))


def _karpathy_coco(folder: Path) -> Path:
    content = json.loads(_karpathy(folder).read_bytes())
    (folder / "dataset_flickr30k.json").unlink()
    for number, image in enumerate(content["images"]):
        image |= {"filepath": FOLDERS[image["filename"]], "cocoid": 391_895 + number}
        image["split"] = "restval" if image["split"] == "train" else image["split"]
    content["dataset"] = "coco"
    _photographs(folder / "coco", FOLDERS)
    put(folder / "coco" / "karpathy" / "dataset_coco.json", json.dumps(content))
    return folder / "coco"


def _photographs(folder: Path, within: Mapping[str, str]) -> None:
    for name in CAPTIONS:
        put(folder / within[name] / name, photograph(name))


def _kaggle_pipes(folder: Path) -> Path:
    rows = "".join(f"{name}| {index}| {text}\n" for name, index, text in _rows())
    return put(folder / "results.csv", "image_name| comment_number| comment\n" + rows)


def _kaggle_commas(folder: Path) -> Path:
    rows = "".join(f"{name},{text}\n" for name, _, text in _rows())
    return put(folder / "captions.txt", "image,caption\n" + rows)


def _kaggle_quoted(folder: Path) -> Path:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("image", "caption"), *((n, t) for n, _, t in _rows())])
    return put(folder / "captions.txt", out.getvalue())


def _kaggle_numbers(folder: Path) -> Path:
    rows = "".join(f"{name},{index}, {text}\n" for name, index, text in _rows())
    return put(folder / "captions.txt", "image_name,comment_number,comment\n" + rows)


def _metadata_lines(folder: Path) -> Path:
    _photographs(folder / "set", dict.fromkeys(CAPTIONS, ""))
    lines = [json.dumps({"file_name": name, "captions": texts}) for name, texts in CAPTIONS.items()]
    put(folder / "set" / "metadata.jsonl", "\n".join(lines))
    return folder / "set"


def _metadata_splits(folder: Path) -> Path:
    names = dict(zip(CAPTIONS, ("train", "validation", "test"), strict=True))
    for name, split in names.items():
        put(folder / "set" / split / "images" / name, photograph(name))
        lines = [json.dumps({"file_name": f"images/{name}", "text": text}) for text in CAPTIONS[name]]
        put(folder / "set" / split / "metadata.jsonl", "\n".join(lines))
    return folder / "set"


def _metadata_table(folder: Path) -> Path:
    _photographs(folder / "set" / "images", dict.fromkeys(CAPTIONS, ""))
    out = io.StringIO()
    rows = [(f"images/{name}", text) for name, _, text in _rows()]
    csv.writer(out).writerows([("file_name", "text"), *rows])
    put(folder / "set" / "metadata.csv", out.getvalue())
    return folder / "set"


def table(path: Path, rows: list[dict[str, Any]], **options: Any) -> Path:
    """Write a Parquet file with these rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(rows), path, **options)
    return path


def _parquet_lists(folder: Path) -> Path:
    rows = [
        {
            "image": {"bytes": photograph(name), "path": name},
            "caption": list(texts),
            "sentids": ["1", "2"],
            "split": SPLITS[name],
            "img_id": "7",
            "filename": name,
        }
        for name, texts in CAPTIONS.items()
    ]
    return table(folder / "flickr-test.parquet", rows)


def _parquet_columns(folder: Path) -> Path:
    rows = [
        {
            "image": {"bytes": photograph(name), "path": f"images/{name}"},
            **{f"caption_{index}": text for index, text in enumerate(texts)},
        }
        for name, texts in CAPTIONS.items()
    ]
    return table(folder / "train.parquet", rows)


def _parquet_shards(folder: Path) -> Path:
    for name, texts in CAPTIONS.items():
        split = "validation" if SPLITS[name] == "val" else SPLITS[name]
        rows = [{"image": {"bytes": photograph(name), "path": name}, "text": text} for text in texts]
        table(folder / "set" / "data" / f"{split}-00000-of-00001.parquet", rows)
    put(folder / "set" / "README.md", "# A data set\n\nIt has images and captions .\n")
    return folder / "set"


def _parquet_names(folder: Path) -> Path:
    rows = [
        {"filepath": FOLDERS[name], "filename": name, "sentences": texts} for name, texts in CAPTIONS.items()
    ]
    return table(folder / "captions.parquet", rows, compression="zstd")


def _list_of_texts(folder: Path) -> Path:
    entries = [
        {"image": f"{FOLDERS[name]}/{name}", "caption": text, "image_id": f"coco_{name}"}
        for name, _, text in _rows()
    ]
    return put(folder / "captions_karpathy.json", json.dumps(entries))


def _list_of_lists(folder: Path) -> Path:
    entries = [{"image": f"flickr30k-images/{name}", "caption": list(t)} for name, t in CAPTIONS.items()]
    return put(folder / "flickr30k.json", json.dumps(entries, indent=1))


def _lists_by_split(folder: Path) -> Path:
    for name, texts in CAPTIONS.items():
        entries = [{"image": f"flickr30k-images/{name}", "caption": list(texts)}]
        put(folder / "set" / f"flickr30k_{SPLITS[name]}.json", json.dumps(entries))
    return folder / "set"


def _flickr8k(folder: Path) -> Path:
    return put(folder / "Flickr8k.token.txt", "".join(_labelled("#{}\t")))


def _marked(folder: Path) -> Path:
    return put(folder / "flickr30kenc.caption.txt", "".join(_labelled("#enc#{} ")))


def _multi30k(folder: Path) -> Path:
    for name, texts in CAPTIONS.items():
        put(folder / "set" / "image_splits" / f"{SPLITS[name]}_images.txt", f"{name}\n")
        for number, text in enumerate(texts, start=1):
            content = gzip.compress(f"{text}\n".encode())
            put(folder / "set" / "raw" / f"{SPLITS[name]}.{number}.en.gz", content)
    return folder / "set"


def _utf16_table(folder: Path) -> Path:
    rows = "".join(f"{name}\t{text}\r\n" for name, _, text in _rows())
    return put(folder / "captions.txt", f"Image\tCaption\r\n{rows}".encode("utf-16"))


def _utf16_lines(folder: Path) -> Path:
    return put(folder / "captions.token", ("\ufeff" + "".join(_labelled("#{}\t"))).encode("utf-16-be"))


def _utf16_json(folder: Path) -> Path:
    entries = [{"image": name, "caption": texts} for name, texts in CAPTIONS.items()]
    return put(folder / "captions.json", json.dumps(entries, ensure_ascii=False).encode("utf-16"))


def _names_with_folders(folder: Path) -> Path:
    return put(folder / "captions.token", "".join(f"flickr30k-images/{line}" for line in _labelled("#{}\t")))


def _coco_with_folders(folder: Path) -> Path:
    images = [
        {"id": number, "file_name": f"{FOLDERS[name]}/{name}", "width": width_of(name), "height": 30}
        for number, name in enumerate(CAPTIONS)
    ]
    captions = [
        {"id": number, "image_id": list(CAPTIONS).index(name), "caption": text}
        for number, (name, _, text) in enumerate(_rows())
    ]
    _photographs(folder / "coco", FOLDERS)
    content = {"info": {}, "images": images, "licenses": [], "annotations": captions}
    put(folder / "coco" / "annotations" / "captions.json", json.dumps(content))
    return folder / "coco"


SHAPES: Mapping[str, Shape] = {
    "Karpathy's Flickr30k": Shape(_karpathy, splits=True),
    "Karpathy's COCO with folders": Shape(_karpathy_coco, pictures=True, splits=True),
    "Kaggle's results.csv with |": Shape(_kaggle_pipes),
    "Kaggle's captions.txt with commas": Shape(_kaggle_commas),
    "Kaggle's captions.txt with quotation marks": Shape(_kaggle_quoted),
    "Kaggle's captions.txt with numbers": Shape(_kaggle_numbers),
    "metadata.jsonl beside images": Shape(_metadata_lines, pictures=True),
    "metadata.jsonl in folders of splits": Shape(_metadata_splits, pictures=True, splits=True),
    "metadata.csv beside images": Shape(_metadata_table, pictures=True),
    "Parquet with lists of captions": Shape(_parquet_lists, pictures=True, splits=True),
    "Parquet with columns of captions": Shape(_parquet_columns, pictures=True),
    "Parquet in shards by split": Shape(_parquet_shards, pictures=True, splits=True),
    "Parquet with names of images": Shape(_parquet_names),
    "ALBEF's and BLIP's list, a text each": Shape(_list_of_texts),
    "ALBEF's and BLIP's list, texts in lists": Shape(_list_of_lists),
    "ALBEF's and BLIP's lists, a file a split": Shape(_lists_by_split, splits=True),
    "Flickr8k.token.txt": Shape(_flickr8k),
    "lines marked #enc#": Shape(_marked),
    "Multi30k's aligned files": Shape(_multi30k, splits=True),
    "UTF-16 from Excel": Shape(_utf16_table),
    "UTF-16, big-endian lines": Shape(_utf16_lines),
    "UTF-16, JSON": Shape(_utf16_json),
    "lines of names with folders": Shape(_names_with_folders),
    "COCO's captions with folders": Shape(_coco_with_folders, pictures=True),
}


def _many(line: str, count: int = 50) -> str:
    return "".join(line.replace("@", str(number)) for number in range(count))


def _wrong(name: str, content: str | bytes) -> Callable[[Path], Path]:
    return lambda folder: put(folder / name, content)


def _wrong_json(name: str, content: object) -> Callable[[Path], Path]:
    return _wrong(name, json.dumps(content))


def _wrong_table(rows: list[dict[str, Any]]) -> Callable[[Path], Path]:
    return lambda folder: table(folder / "set.parquet", rows)


def _two_languages(folder: Path) -> Path:
    put(folder / "set" / "train_images.txt", "a.jpg\nb.jpg\n")
    for language in ("en", "de"):
        put(folder / "set" / f"train.{language}", "One\nTwo\n")
    return folder / "set"


def _unequal(folder: Path) -> Path:
    put(folder / "set" / "train_images.txt", "a.jpg\nb.jpg\n")
    put(folder / "set" / "train.en", "One dog\nTwo dogs\nThree dogs\n")
    return folder / "set"


def _two_corpora(folder: Path) -> Path:
    put(folder / "set" / "one.token", "a.jpg#0\tA man .\n")
    put(folder / "set" / "two.token", "b.jpg#0\tA man .\n")
    return folder / "set"


_ENTRY = {"image": "a.jpg", "caption": "A man ."}
WRONG: Mapping[str, tuple[Callable[[Path], Path], str]] = {
    "Flickr8k's judgments": (
        _wrong("ExpertAnnotations.txt", _many("@.jpg\tb.jpg#2\t1\t1\t1\n")),
        "ExpertAnnotations.txt has no captions: its rows name captions (image.jpg#k), as judgments "
        "about captions do",
    ),
    "a list of image names": (
        _wrong("Flickr_8k.trainImages.txt", _many("@.jpg\n")),
        "Flickr_8k.trainImages.txt is a list of images without captions: give it as a split list, "
        "beside a file of captions",
    ),
    "sentences alone": (
        _wrong("train.en", _many("A man walks dog @ .\n")),
        "train.en has sentences without names of images: give a folder with it and the list of the "
        "images, such as train.en and train_images.txt",
    ),
    "image names in another form": (
        _wrong("captions.lst", _many("@.jpg A man walks a dog .\n")),
        "captions.lst names images, but in no form that is known: write image.jpg#0, a tab and the "
        "caption on each line, or a table with the columns image and caption",
    ),
    "a sheet without captions": (
        _wrong("labels.csv", "image,label\n" + _many("@.jpg,cat\n")),
        "labels.csv:1: no column is called caption, but 'image' is there (name the columns in the first row: "
        "image, caption)",
    ),
    "captions in no table": (
        _wrong("captions.csv", "image,caption\n" + _many("http://example.org/@.jpg,A man .\n")),
        "captions.csv:2: none of its first 20 entries can be read: column 1 (image): "
        "'http://example.org/0.jpg' is not a plain file name (write the photograph's file name in every row)",
    ),
    "COCO's boxes": (
        _wrong_json(
            "instances_val2017.json",
            {
                "images": [{"id": n, "file_name": f"{n}.jpg"} for n in range(50)],
                "annotations": [{"image_id": n, "category_id": 1, "bbox": [1, 2, 3, 4]} for n in range(50)],
            },
        ),
        "instances_val2017.json: none of its first 20 entries can be read: annotations[0].caption: is "
        "missing, or is not a text: only captions are read (the file looks like COCO's boxes: give its "
        "file of captions)",
    ),
    "COCO's images alone": (
        _wrong_json("image_info.json", {"images": [{"id": n, "file_name": f"{n}.jpg"} for n in range(50)]}),
        'image_info.json: it has 50 images, but no captions (expected {"images": […], "annotations": '
        "[…]}, as in COCO's file of captions)",
    ),
    "COCO's results": (
        _wrong_json("results.json", [{"image_id": n, "caption": "A man ."} for n in range(50)]),
        "results.json has JSON of something else: no name of a file (image, file_name) is "
        "among 'image_id', 'caption'",
    ),
    "conversations about images": (
        _wrong_json("chat.json", [{"id": n, "image": f"{n}.jpg", "conversations": []} for n in range(50)]),
        "chat.json: none of its first 20 entries can be read: entry 0: its conversation has no answer of a "
        "model, and has to have one: the caption (it was left out)",
    ),
    "JSON lines of something else": (
        _wrong("metadata.jsonl", _many('{"file_name": "@.jpg", "label": 3}\n')),
        "metadata.jsonl has JSON of something else: no captions (caption, captions, text, "
        "sentences) are among 'file_name', 'label'",
    ),
    "JSON of something else": (
        _wrong_json("config.json", {"model": "x", "layers": 12}),
        "config.json has JSON of something else: no name of a file (image, file_name) is among 'model', "
        "'layers'",
    ),
    "JSON of something else on several lines": (
        _wrong("config.json", json.dumps({"model": "x", "layers": [1]}, indent=1)),
        "config.json has JSON of something else: its fields are 'model', 'layers', and none is a list "
        "of images",
    ),
    "damaged JSON": (
        _wrong("captions.json", '[{"image": "a.jpg", "capt'),
        "captions.json has JSON that cannot be read: parse error: premature EOF. Get the file again",
    ),
    "an empty list": (_wrong("captions.json", "[]"), "captions.json is an empty list in JSON"),
    "a damaged gzip file": (
        _wrong("captions.token.gz", gzip.compress(b"a.jpg#0\tA man .\n")[:12]),
        "captions.token.gz cannot be read: the gzip file is damaged: Compressed file ended before the "
        "end-of-stream marker was reached. Get it again",
    ),
    "an empty file": (_wrong("captions.txt", "\n"), "captions.txt is empty"),
    "Parquet without captions": (
        _wrong_table([{"image": "a.jpg", "label": 3}]),
        "set.parquet is a Parquet file: it looks like a table of something else: no captions "
        "(caption, captions, text, sentences) are among 'image', 'label'",
    ),
    "Parquet with captions that are numbers": (
        _wrong_table([{"image": "a.jpg", "caption": 3}]),
        "set.parquet is a Parquet file: column 'caption' has no texts or lists of texts, but int64",
    ),
    "an export's table": (
        _wrong_table([{"image": "a.jpg", "index": 0, "text": "A man .", "tokens": ["A", "man", "."]}]),
        "set.parquet is a Parquet file: it is a table of an export of ours, which cannot be "
        "imported: export as jsonl",
    ),
    "damaged Parquet": (
        _wrong("set.parquet", b"PAR1 and no more"),
        "set.parquet is a Parquet file: it is damaged, or ends too early: get it again",
    ),
    "Arrow": (
        _wrong("data-00000-of-00001.arrow", b"\xff\xff\xff\xff\x78\x00\x00\x00"),
        "data-00000-of-00001.arrow has Arrow data: save the data set with to_parquet, and give that",
    ),
    "a pointer of Git LFS": (
        _wrong("train.parquet", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n"),
        "train.parquet is only a pointer of Git LFS: run git lfs pull, or download the file itself",
    ),
    "a web page": (
        _wrong("captions.txt", "<!DOCTYPE html>\n<html><body>Sign in</body></html>\n"),
        "captions.txt is a web page: its download may need a login. Download the file itself",
    ),
    "XML": (
        _wrong("1000001.xml", "<annotation><filename>a.jpg</filename></annotation>"),
        "1000001.xml is XML: if it is of Flickr30k Entities, give the folder with Sentences and Annotations",
    ),
    "UTF-16 without a mark": (
        _wrong("captions.token", "a.jpg#0\tA man .\n".encode("utf-16-le")),
        "captions.token is not UTF-8 text: if it is text, save it as UTF-8",
    ),
    "two languages in one file": (
        _wrong("captions.token", "a.jpg#zhb#0\tA man .\na.jpg#enc#0\tA man .\n"),
        "captions.token:2: a caption of a.jpg is marked #enc#, and those before it are marked #zhb# (give "
        "one language alone; what came before was read)",
    ),
    "aligned files in two languages": (
        _two_languages,
        "train.de: its folder has captions in several languages, de and en (give the files of one language)",
    ),
    "aligned files that are not aligned": (
        _unequal,
        "train.en: it has 3 lines, but train_images.txt has 2 (each line has to be about the image "
        "on the same line of the list)",
    ),
    "two files of captions": (
        _two_corpora,
        "several files look like captions (one.token, two.token); there has to be one, or a folder called "
        "Sentences",
    ),
    "one name in two folders": (
        _wrong_json("captions.json", [{**_ENTRY, "image": f"{n}/a.jpg"} for n in range(50)]),
        "captions.json: a.jpg is in two folders, 0 and 1 (an image is known by its file name: rename "
        "one; what came before was read)",
    ),
}
"""By what they are: how to write them, and the one message about them."""
READ_IN_PART = frozenset({"two languages in one file", "one name in two folders"})
"""Of these, what comes before the mistake is imported."""
