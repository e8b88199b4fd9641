"""What a participant would see, for those who write it; nothing is stored."""

from __future__ import annotations

from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from surveys.domain.pages import SituationPage
from surveys.domain.protocol import ImaginedSituation
from surveys.models import Situation


@staff_member_required
@permission_required("surveys.view_situation", raise_exception=True)
def situation_preview(request: HttpRequest, pk: int) -> HttpResponse:
    """The newest words of a situation, drafts included, on the page that participants get."""
    situation = get_object_or_404(Situation.objects.select_related("factor__emotion"), pk=pk)
    version = situation.current_version
    if version is None:
        raise Http404("this situation has no words yet")
    page = SituationPage(ImaginedSituation(version.pk, version.text), ordinal=1, total=1)
    context = {"situation": situation, "page": page}
    return render(request, "surveys/situation_preview.html", context)
