from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnnotationConfig(AppConfig):
    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.caption_words import keep_caption_words

        post_migrate.connect(keep_caption_words, sender=self, dispatch_uid="annotation.caption_words")
