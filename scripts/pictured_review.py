"""What a researcher sees of the photographed site: cases that wait, and the pages about them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from scripts.pictured_site import FAST

PAGES = (
    *("review-queue", "review-chain", "review-image", "review-worker", "review-aside"),
    *("review-questions", "review-question", "review-write", "review-gallery", "review-correct"),
    *("spot-checks", "spot-check-mention", "spot-check-chain", "spot-check-box", "statistics-errors"),
    *("expert", "expert-queue", "caption-words", "caption-phrases", "caption-withdraw"),
)
USER = "rita"


class Reviewed:
    """Cases and questions in the site's project.

    They are made when the first page that shows them is wanted.
    """

    def __init__(self, project_name: str) -> None:
        self.project_name = project_name

    @cached_property
    def session(self) -> str:
        """Return the session cookie of a researcher who is logged in."""
        from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
        from django.contrib.sessions.backends.db import SessionStore

        user = get_user_model().objects.create_superuser(USER)
        store = SessionStore()
        store[SESSION_KEY] = str(user.pk)
        store["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
        store[HASH_SESSION_KEY] = user.get_session_auth_hash()
        store.create()
        assert store.session_key
        return store.session_key

    @cached_property
    def paths(self) -> dict[str, str]:
        """Return the address below /admin/ of each page."""
        from urllib.parse import urlencode

        from django.utils import timezone

        from annotation.models import Box, Chain, Judgment, Project, Worker
        from workflows.cases.review_queue import flag_chain, open_case, open_remarks, sample_chains
        from workflows.questions.write import write_question
        from workflows.review.caption_effects import marked_text
        from workflows.review.spot_checks import draw_spot_check, give_verdict

        now = timezone.now()
        project = Project.objects.get(name=self.project_name)
        mine = Chain.objects.filter(work__batch__project=project)
        chain = mine.filter(boxes_accepted__gt=0, state="coverage").order_by("pk")[0]
        box = Box.objects.get(chain=chain, state="accepted")
        assert box.judgment is not None
        worker = box.judgment.worker
        flag_chain(chain_id=chain.pk, by=USER, note="Does the box take in the sleeve?", now=now)
        # Nobody can change a judgment, so another worker gives the same answer, with a comment.
        remark = Judgment.objects.filter(item__chain__in=mine).order_by("-pk")[0]
        others = Worker.objects.filter(project=project).exclude(judgments__item=remark.item_id)
        remark.pk, remark._state.adding, remark.worker = None, True, others.order_by("pk")[0]
        remark.comment = "There are two of them, but one is half hidden."
        remark.save()
        open_remarks(judgments=[remark], project_id=project.pk, now=now)
        figures: dict[str, Any] = {"asked": 30, "right": 18, "minimum": 0.7}
        open_case(
            project_id=project.pk,
            reason="trust",
            now=now,
            worker_id=worker.pk,
            stage="drawing",
            detail=figures,
        )
        sample_chains(batch_id=chain.work.batch_id, seed=1, number=3, now=now)
        image = chain.work.image
        question = write_question(
            project_id=project.pk,
            image_id=image.pk,
            stage="drawing",
            role="training",
            mentions=[chain.representative_id],
            boxes=[],
            box=None,
            answer={"boxes": [list(box.rectangle.edges)]},
            explanation="The box goes round all of it, and as close as it can.",
            by=USER,
            now=now,
        )
        finished = Project.objects.get(name=FAST)
        spot_check = draw_spot_check(
            project=finished, sizes={"mention": 4, "chain": 4, "box": 4}, seed=1, by=USER, now=now
        )
        kinds = [kind for kind, *_ in spot_check.units]
        for place in range(1, len(kinds)):
            reason = "loose" if kinds[place] == "box" and "box" not in kinds[:place] else ""
            give_verdict(
                spot_check=spot_check, place=place, right=not reason, reason=reason, note="", by=USER, now=now
            )
        case = chain.cases.get()
        caption = chain.representative.caption
        wanted = marked_text(caption).replace("[", "[very ", 1)
        return {
            "review-queue": "review/",
            "review-chain": f"review/chain/{chain.pk}/?case={case.pk}",
            "review-image": f"review/image/{chain.work_id}/",
            "spot-checks": f"review/projects/{finished.pk}/spot-checks/",
            "statistics-errors": f"projects/{finished.pk}/statistics/",
            **{
                f"spot-check-{kind}": f"review/spot-check/{spot_check.pk}/{kinds.index(kind) + 1}/"
                for kind in ("mention", "chain", "box")
            },
            "expert": f"images/{image.pk}/expert/",
            "caption-words": f"captions/{caption.pk}/edit/",
            "caption-phrases": f"captions/{caption.pk}/edit/?{urlencode({'text': wanted})}",
            "caption-withdraw": f"captions/{caption.pk}/withdraw/",
            "expert-queue": f"projects/{project.pk}/expert/?purpose=gold&count=8",
            "review-worker": f"review/worker/{worker.pk}/",
            "review-aside": f"review/worker/{worker.pk}/set-aside/?stage=drawing&every=1",
            "review-questions": "review/questions/",
            "review-question": f"review/questions/{question.pk}/",
            "review-gallery": f"review/projects/{project.pk}/proposed-questions/",
            "review-correct": f"review/questions/{question.pk}/correct/",
            "review-write": f"review/questions/write/?project={project.pk}&image={image.name}&stage=quality",
        }
