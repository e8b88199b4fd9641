"""The staff page from which answers, and apart from them identities, are downloaded."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.decorators import permission_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from surveys.exporting.export import Rows, export_study
from surveys.exporting.formats import Format
from surveys.exporting.identities import export_identities
from surveys.exporting.people import Selection, select_people
from surveys.models import Study
from surveys.services.errors import SurveyError
from surveys.services.norms import norms
from surveys.services.retention import due_at
from surveys.staff import staff_of

# Prolific's ids are for those who may change submissions, and so pay them.
IDENTITIES = "surveys.change_submission"
TOO_LARGE = "An Excel sheet cannot hold so many rows. Choose another format."


@never_cache
@staff_member_required
@permission_required("surveys.view_participation", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: HttpRequest, slug: str) -> HttpResponse | FileResponse:
    """Offer the formats; on POST a ZIP file of table, codebook, situations and read-me."""
    study = _find(slug)
    if request.method != "POST":
        return _page(request, study)
    try:
        form = Format(request.POST.get("format", ""))
        rows = Rows(request.POST.get("rows", ""))
    except ValueError:
        return _page(request, study, "Choose a format, and what a row is.")
    selection = Selection("include_excluded" in request.POST, "include_active" in request.POST)
    try:
        packed = _pack(request, study, form, rows, selection)
    except SurveyError:
        return _page(request, study, TOO_LARGE)
    name = f"{study.slug}-{rows.value}s-{form.value}.zip"
    return FileResponse(packed, as_attachment=True, filename=name)


@never_cache
@staff_member_required
@permission_required(IDENTITIES, raise_exception=True)
@require_POST
def identities(request: HttpRequest, slug: str) -> FileResponse:
    """The CSV file with Prolific's ids, for payment only; that it was made is noted."""
    study = _find(slug)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "identities.csv"
        export_identities(study=study, path=path, actor=staff_of(request))
        file = io.BytesIO(path.read_bytes())
    name = f"{study.slug}-identities-keep-apart.csv"
    return FileResponse(file, as_attachment=True, filename=name)


def _find(slug: str) -> Study:
    study: Study = get_object_or_404(Study.objects.select_related("instrument"), slug=slug)
    return study


def _page(request: HttpRequest, study: Study, fault: str = "") -> HttpResponse:
    everybody = select_people(study, Selection(include_excluded=True, include_active=True))
    counted = select_people(study, Selection()).count()
    excluded = select_people(study, Selection(include_excluded=True)).count() - counted
    context = {
        "study": study,
        "fault": fault,
        "formats": [(form.value, form.label) for form in Format],
        "counted": counted,
        "excluded": excluded,
        "active": everybody.count() - counted - excluded,
        "norms": norms(study=study),
        "may_see_identities": request.user.has_perm(IDENTITIES),
        "identities": study.submissions.filter(purged_at=None).count(),
        "due_at": due_at(study),
    }
    return render(request, "surveys/exports.html", context, status=400 if fault else 200)


def _pack(
    request: HttpRequest, study: Study, form: Format, rows: Rows, selection: Selection
) -> IO[bytes]:
    """The files of an export in one ZIP file, on disk until the response has sent it."""
    with TemporaryDirectory() as folder:
        export = export_study(
            study=study,
            form=form,
            rows=rows,
            selection=selection,
            folder=Path(folder),
            now=timezone.now(),
            actor=staff_of(request),
        )
        # The response closes it.
        packed = TemporaryFile()  # noqa: SIM115
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in export.files:
                archive.write(path, path.name)
    packed.seek(0)
    return packed
