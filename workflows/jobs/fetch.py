"""Bring a corpus onto this machine: unpack an upload, copy a prefix of a bucket, or look into a folder."""

from __future__ import annotations

import os
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.formats.recognition import PHOTOGRAPHS, Corpus, pictures_in, recognise
from workflows.jobs.archives import is_archive, unpack_archive
from workflows.jobs.domain.archives import ArchiveError, Entry, check_entries
from workflows.jobs.domain.jobs import ImportAsked, JobError
from workflows.jobs.locations import allowed_path, bucket_and_prefix, check_links
from workflows.jobs.run_progress import Run, RunStopped
from workflows.jobs.upload_storage import CORPUS, KEPT, PICTURES, SPLITS, stored_files

_COPIERS = 8  # threads: a bucket answers slowly, but many requests at a time
_CHUNK = 1 << 20


def fetch_corpus(asked: ImportAsked, run: Run) -> Corpus:
    """Return the job's corpus on this machine. Raises JobError, ArchiveError, NotRecognised or OSError."""
    if asked.upload:
        folder = _made_once(asked.upload, run, lambda out: _unpack_upload(asked.upload, out, run))
        return _uploaded(folder, asked.format, run)
    place = bucket_and_prefix(asked.place)
    if place is None:
        path = allowed_path(asked.place)
        run.hide(path)
        check_links(path, run.pulse)
        return recognise(path, asked.format, run.pulse)
    name = folder_name(run.job.options, run.job.pk)
    folder = _made_once(name, run, lambda out: _copy_bucket(*place, out, run))
    run.hide(folder)
    return recognise(folder, asked.format, run.pulse)


def folder_name(options: Mapping[str, Any], job_id: int) -> str:
    """Return the name of a job's folder.

    An import after a dry run has the same one, and copies nothing again.
    """
    return str(options.get("upload") or f"job-{options.get('after') or job_id}")


def _uploaded(folder: Path, format: str, run: Run) -> Corpus:
    corpus, pictures, splits = folder / CORPUS, folder / PICTURES, folder / SPLITS
    for part in (corpus, pictures, splits, folder):
        run.hide(part)
    if format == PHOTOGRAPHS and not corpus.is_dir():
        return recognise(pictures, format, run.pulse)
    found = recognise(corpus, format, run.pulse)
    if pictures.is_dir():
        flat, above = pictures_in(pictures, run.pulse)
        found = replace(found, pictures=flat, above=above)
    return replace(found, splits=tuple(sorted(splits.iterdir()))) if splits.is_dir() else found


def forget_fetched(name: str) -> None:
    """Delete the folder of this name, with all that was unpacked or copied into it."""
    shutil.rmtree(_folder() / name, ignore_errors=True)


def forget_old_folders(*, now: datetime, but: set[str]) -> None:
    """Delete folders older than a day, except those named in `but`, which are still needed."""
    for path in _folder().iterdir():
        with suppress(OSError):  # another process has deleted it
            old = path.stat().st_mtime < (now - KEPT).timestamp()
            if old and path.name.partition(".")[0] not in but:
                shutil.rmtree(path, ignore_errors=True)


def _folder() -> Path:
    folder = Path(settings.VAR) / "fetched"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _made_once(name: str, run: Run, make: Callable[[Path], object]) -> Path:
    """Return the folder of this name after `make` has filled it. It exists completely or not at all.

    This also holds after a power cut, or the next run would take what is left for the whole corpus.
    """
    target = _folder() / name
    if target.is_dir():
        return target
    partial = _folder() / f"{name}.{secrets.token_hex(4)}"
    partial.mkdir()
    try:
        make(partial)
        # Sync everything in one call, as exports do. It may take long, so the run gives signs of life.
        with ThreadPoolExecutor(1) as syncer:
            run.result(syncer.submit(os.sync))
        # Another run may have made the folder meanwhile, with the same files.
        with suppress(OSError):
            partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def _unpack_upload(upload: str, out: Path, run: Run) -> None:
    run.begin("unpacking")
    with ThreadPoolExecutor(1) as reader:
        _unpack_parts(upload, out, run, reader)


def _unpack_parts(upload: str, out: Path, run: Run, reader: ThreadPoolExecutor) -> None:
    stored_parts = stored_files(upload)
    for part in (CORPUS, PICTURES, SPLITS):
        for stored in stored_parts[part]:
            (out / part).mkdir(exist_ok=True)
            with stored.open() as file:
                # The first read of a file in a bucket downloads all of it.
                if run.result(reader.submit(is_archive, file)):
                    unpack_archive(
                        file, out / part, most_bytes=settings.MAX_UNPACKED_BYTES, pulse=run.advance
                    )
                else:
                    with (out / part / stored.name).open("xb") as copy:
                        while chunk := file.read(_CHUNK):
                            copy.write(chunk)
                            run.advance(len(chunk))


def _copy_bucket(bucket: str, prefix: str, out: Path, run: Run) -> None:
    run.begin("listing the bucket")
    client = bucket_client()
    keys: list[str] = []

    def listed() -> Iterator[Entry]:
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
            run.pulse()
            for one in page.get("Contents", ()):
                if not one["Key"].endswith("/"):
                    keys.append(one["Key"])
                    yield Entry(_within(one["Key"], prefix), one["Size"], one["Size"])

    try:
        check_entries(listed(), most_bytes=settings.MAX_UNPACKED_BYTES)
    except ArchiveError as error:
        raise JobError("place", f"The prefix cannot be imported: {error}.") from error
    if not keys:
        raise JobError("place", f"There is nothing at s3://{bucket}/{prefix}.")
    run.begin("copying from the bucket", len(keys))
    ended = threading.Event()

    def heard(count: int) -> None:
        if ended.is_set():
            raise RunStopped

    def copy(key: str) -> None:
        target = out / _within(key, prefix)
        target.parent.mkdir(parents=True, exist_ok=True)
        client.download_file(bucket, key, str(target), Callback=heard)

    with ThreadPoolExecutor(_COPIERS) as copiers:
        try:
            for copied in [copiers.submit(copy, key) for key in keys]:
                run.result(copied)
                run.advance()
        except BaseException:
            # Stop the copies that wait and those under way, so that nobody waits for large files.
            ended.set()
            copiers.shutdown(wait=False, cancel_futures=True)
            raise


def _within(key: str, prefix: str) -> str:
    """Return the object's path below the prefix's folder, or its name if the prefix is the object itself."""
    folder = prefix if prefix.endswith("/") else prefix.rpartition("/")[0]
    return key.removeprefix(folder).lstrip("/") or os.path.basename(key)


def bucket_client() -> Any:
    """Return boto3's client of the storage, with credentials from where boto3 looks for them."""
    import boto3  # slow to import, and seldom needed

    from annotation.bucket import client_config

    region, endpoint = settings.S3_REGION or None, settings.S3_ENDPOINT
    return boto3.client(
        "s3", region_name=region, endpoint_url=endpoint or None, config=client_config(endpoint)
    )
