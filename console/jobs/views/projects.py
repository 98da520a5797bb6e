"""The page on which a project is created."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from annotation.transactions import write_transaction
from console.common.access import managing
from console.common.audited_actions import acted
from console.common.pages import page
from console.jobs.forms import ProjectForm
from workflows.core.contacts import ContactError
from workflows.projects.lifecycle import ProjectError, create_project


@managing
def new_project(request: HttpRequest) -> HttpResponse:
    """Create a project, then go on to its import page."""
    form = ProjectForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            with write_transaction():
                project = create_project(**form.cleaned_data)
                acted(request, "project.create", project)
            return redirect("jobs:import", project.pk)
        except ProjectError as error:
            form.add_error(error.field or None, str(error))
        except ContactError as error:
            form.add_error("contact", f"It {str(error).partition(': ')[2]}.")
    return page(request, "jobs/new_project.html", {"form": form}, title="New project")
