"""What was there before quality control goes on as it was.

Batches had a regime, and it did nothing: everybody's judgments counted. And what an item showed followed from
its visit; now it is kept with it.
"""

from django.db import migrations

SHOWING = ("drawing", "quality", "coverage")
AT_ONCE = 2000


def forwards(apps, schema_editor):
    batches = apps.get_model("annotation", "Batch")
    for batch in batches.objects.all():
        if "regime" in batch.settings or batch.state != "draft":
            batch.settings["regime"] = "open"
            batch.save(update_fields=["settings"])
    items = apps.get_model("annotation", "Item").objects
    boxes = apps.get_model("annotation", "Box").objects
    last = 0
    while True:
        rows = list(items.filter(pk__gt=last, stage__in=SHOWING).order_by("pk")[:AT_ONCE])
        if not rows:
            return
        last = rows[-1].pk
        accepted = {}
        drawn = boxes.filter(chain__in={row.chain_id for row in rows}, state="accepted").order_by("pk")
        for chain, pk, visit in drawn.values_list("chain_id", "pk", "judgment__item__visit"):
            accepted.setdefault(chain, []).append((pk, visit))
        for row in rows:
            of_chain = accepted.get(row.chain_id, ())
            row.shown = [pk for pk, visit in of_chain if visit < row.visit and pk != row.box_id]
        items.bulk_update([row for row in rows if row.shown], ["shown"])


class Migration(migrations.Migration):

    dependencies = [("annotation", "0003_quality_control")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
