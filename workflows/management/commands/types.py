from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.own_types import TypesError, from_json
from annotation.models import Project, TypesVersion
from workflows.core.audit_log import record_action
from workflows.management.subject import project_named
from workflows.mention_types.files import read_types, write_types
from workflows.mention_types.versions import NoSuchVersionError, newest, restore_types, save_types
from workflows.projects.lifecycle import ProjectError, create_project


class Command(BaseCommand):
    help = (
        "Give a project types of its own, with their nouns, from a TOML file. They become the next version, "
        "unless they are the same as the newest. Without a file, print the newest version as such a file. "
        "Captions that are imported, written or edited afterwards are typed by it; mentions that exist keep "
        "their types."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="name of the project")
        parser.add_argument("file", nargs="?", type=Path, help="a table for each type, with label and words")
        parser.add_argument("--restore", type=int, metavar="N", help="make what version N says the newest")
        parser.add_argument(
            "--create",
            action="store_true",
            help="create the project if there is none yet",
        )
        parser.add_argument("--by", default="command line", help="your name, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["file"] and options["restore"] is not None:
            raise CommandError("give a file or --restore, not both")
        try:
            types = read_types(options["file"]) if options["file"] else ()
            project = _project(options["project"], create=options["create"])
            if options["file"]:
                made, created = save_types(
                    project_id=project.pk,
                    types=types,
                    based_on=None,
                    by=options["by"],
                    now=timezone.now(),
                    also=lambda one: self._audit(project, one, options["by"], "types.save"),
                )
            elif options["restore"] is not None:
                made, created = restore_types(
                    project_id=project.pk,
                    number=options["restore"],
                    by=options["by"],
                    now=timezone.now(),
                    also=lambda one: self._audit(project, one, options["by"], "types.restore"),
                )
            else:
                self._show(project)
                return
        except TypesError as error:
            raise CommandError(str(error)) from error
        except ProjectError as error:
            raise CommandError(f"{options['project']!r} is no name of a project: {error}") from error
        except NoSuchVersionError as error:
            message = f"project {options['project']} has no version {options['restore']} of its types"
            raise CommandError(message) from error
        self.stdout.write(_said(project, made, created))

    def _show(self, project: Project) -> None:
        version = newest(project.pk)
        if version is None:
            self.stdout.write(f"# Project {project.name} has the eight types alone.")
            return
        self.stdout.write(f"# Project {project.name}, version {version.number}, saved by {version.by}")
        self.stdout.write(write_types(from_json(version.content)))

    @staticmethod
    def _audit(project: Project, made: TypesVersion, by: str, action: str) -> None:
        record_action(
            by=by,
            action=action,
            now=made.created_at,
            project=project,
            kind="project",
            object=str(project),
            object_id=project.pk,
            detail={"version": made.number},
        )


def _project(name: str, *, create: bool) -> Project:
    if create and not Project.objects.filter(name=name).exists():
        return create_project(name=name)
    return project_named(name, ": import a corpus into it first, or give --create")


def _said(project: Project, version: TypesVersion | None, created: bool) -> str:
    if version is None:
        return f"project {project.name} has the eight types alone, as before"
    names = ", ".join(f"{one.key} ({len(one.words):,} words)" for one in from_json(version.content))
    how = "is saved" if created else "is the same as before"
    number = f"version {version.number} of the types of project {project.name}"
    return f"{number} {how}: {names or 'the eight alone'}"
