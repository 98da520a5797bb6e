"""Celery's side of exporting: the same service as `manage.py export_dataset`, in the background."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from celery import shared_task

from annotation.domain.merge import MergeSettings
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.exporting.earlier import manifest_of
from annotation.exporting.folder import ExportError
from annotation.exporting.summary import counted
from annotation.models import Project

logger = logging.getLogger(__name__)


@shared_task(throws=(ExportError,))  # its message is enough: no traceback in the log
def export(project_id: int, format: str, out: str, options: dict[str, Any]) -> None:
    """Export into the folder `out`. `options` are those of ExportOptions; `merge` the two IoUs, or null.

    A message may come twice: an export that is there already, complete, is left as it is. What goes wrong
    is logged and the task fails, once: trying again would go wrong again.
    """
    merge = options.pop("merge")
    chosen = ExportOptions(merge=MergeSettings(*merge) if merge else None, **options)
    if not chosen.overwrite and manifest_of(Path(out)) is not None:
        logger.info("export: %s is there already", out)
        return
    project = Project.objects.get(pk=project_id)
    try:
        manifest = export_dataset(project=project, format=format, out=Path(out), options=chosen)
    except ExportError as error:
        logger.error("export: %s", error)
        raise
    logger.info("export: %s, %s, %s", out, counted(manifest.images, "image", "images"), manifest.content_hash)
