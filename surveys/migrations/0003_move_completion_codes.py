"""The one code of a study becomes the code of its outcome "completed"."""

from __future__ import annotations

from django.db import migrations


def forwards(apps, schema_editor):
    Study = apps.get_model("surveys", "Study")
    CompletionCode = apps.get_model("surveys", "CompletionCode")
    CompletionCode.objects.bulk_create(
        CompletionCode(study=study, outcome="completed", code=study.completion_code)
        for study in Study.objects.exclude(completion_code="")
    )


def backwards(apps, schema_editor):
    CompletionCode = apps.get_model("surveys", "CompletionCode")
    for code in CompletionCode.objects.filter(outcome="completed").select_related("study"):
        code.study.completion_code = code.code
        code.study.save(update_fields=["completion_code"])


class Migration(migrations.Migration):
    dependencies = [("surveys", "0002_running_studies")]
    operations = [migrations.RunPython(forwards, backwards)]
