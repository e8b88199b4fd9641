from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("surveys", "0003_move_completion_codes")]
    operations = [migrations.RemoveField(model_name="study", name="completion_code")]
