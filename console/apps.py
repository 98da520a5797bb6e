from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class ConsoleConfig(AppConfig):
    name = "console"
    verbose_name = "Research console"

    def ready(self) -> None:
        from console.audit import signals
        from console.common import session_use as session_use  # imported for its signal receiver
        from console.roles import keep_roles

        signals.connect()
        # The console has no models, so no signal of its own; of those who have, the workflows come last.
        workflows = apps.get_app_config("workflows")
        post_migrate.connect(keep_roles, sender=workflows, dispatch_uid="console.roles")
