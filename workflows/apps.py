from django.apps import AppConfig
from django.db.models.signals import post_migrate


class WorkflowsConfig(AppConfig):
    name = "workflows"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from workflows.core.guards import keep_guards

        # This comes after all migrations, also those of `annotation`.
        post_migrate.connect(keep_guards, sender=self, dispatch_uid="workflows.guards")
