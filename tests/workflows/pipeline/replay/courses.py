"""Workers do random things with a batch's images.

Meanwhile, judgments are set aside and researchers decide.
"""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta

from annotation.domain.chain_states import SPLIT, WITHDRAWN
from annotation.domain.geometry import Box as Rectangle
from annotation.models import Assignment, Box, Caption, Chain, Decision, ImageWork, Item, Judgment
from annotation.selectors import mentions_by_image
from tests.factories import (
    NOW,
    claim_maybe,
    make_batch,
    make_project,
    make_random_image,
    make_worker,
    submit_page,
    unsteady,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.pipeline.replay.twins import Names, described, images
from tests.workflows.review.regrouping import regroup
from workflows.assignments.leases import expire_leases, return_page
from workflows.assignments.submit import OtherAnswersError
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.decisions import Chunk, Cut, NewGroup
from workflows.review.decide import decide_chain, version_of
from workflows.review.domain.rulings import legal_states
from workflows.review.set_aside import set_aside_worker

STAGES = ("link", "verification", "requirement", "drawing", "quality", "coverage")
STEPS = 3000


class Course:
    """A course of work on a batch's images by workers who hold pages, while judgments are set aside."""

    def __init__(self, strategy: str, seed: int, *, count: int = 1) -> None:
        self.rng = random.Random(f"{strategy}/{seed}")
        project = make_project()
        for _ in range(count):
            make_random_image(project, self.rng)
        pages = {"link": 2, "drawing": 1, "quality": 1, "coverage": 1}
        self.batch = make_batch(project, strategy=strategy, seed=seed, items_a_page=pages)
        self.project = project
        self.workers = [make_worker(project) for _ in range(6)]
        self.pages: list[Assignment] = []
        self.now = NOW

    def work(self, steps: int) -> bool:
        """Take so many random steps. Return whether nothing is left to ask."""
        for _ in range(steps):
            self.now += timedelta(minutes=self.rng.randrange(4))
            action = self.rng.randrange(12)
            if action == 0 and self.pages:
                page = self.rng.choice(self.pages)
                return_page(worker_id=page.worker_id, assignment_id=page.pk)
            elif action == 1:
                expire_leases(now=self.now)
            elif action <= 3:
                self.read()
                # Questions of the twins stay open.
                if not Item.objects.filter(batch=self.batch, state=Item.State.OPEN).exists():
                    return True
            elif action <= 7 and self.pages:
                with suppress(OtherAnswersError):
                    submit_page(self.rng.choice(self.pages[-4:]), answering=unsteady(self.rng), now=self.now)
            else:
                found = claim_maybe(self.rng.choice(self.workers), now=self.now)
                self.pages += [found.assignment] if found else []
        return False

    def read(self) -> None:
        advance_pending(now=self.now)

    def set_aside(self) -> list[Decision]:
        """Set aside somebody's judgments in most stages. This is somebody who has given some."""
        given = Judgment.objects.filter(item__batch=self.batch, set_aside__isnull=True)
        workers = sorted(set(given.values_list("worker_id", flat=True)))
        worker = self.rng.choice(workers)
        found = [
            set_aside_worker(
                worker_id=worker,
                stage=stage,
                by="somebody",
                note="",
                now=self.now,
                batch_id=self.batch.pk,
                unsupported_only=self.rng.random() < 0.4,
            )
            for stage in self.rng.sample(STAGES, 4)
        ]
        return [decision for decision in found if decision is not None]

    def check_promises(self) -> None:
        check_promises(self.project)

    def everything(self) -> list[object]:
        """Return all rows of the work."""
        models = (Item, Chain, Box, ImageWork, Transition)
        return [list(model.objects.order_by("pk").values_list()) for model in models]

    def check(self) -> None:
        check_promises(self.project)
        check_rules(self.project)

    def state(self) -> list[object]:
        return [described(image, Names()) for image in images(self.batch).values()]

    def finish(self) -> None:
        """Let everybody answer until nothing is left to ask."""
        # A worker who answered a question is not asked it again, so new workers come now and then.
        for _ in range(60):
            self.workers.append(make_worker(self.project))
            if self.work(STEPS // 60):
                return
        raise AssertionError("it never ends")

    def decide(self) -> None:
        """Let a researcher decide about any chain."""
        rows = Chain.objects.filter(work__batch=self.batch).exclude(state__in=(SPLIT, WITHDRAWN))
        if not (chains := list(rows.order_by("pk"))):
            return
        chain = self.rng.choice(chains)
        accepted = Box.objects.filter(chain=chain, state=Box.State.ACCEPTED).order_by("pk")
        boxes = [box.rectangle for box in accepted if self.rng.random() < 0.7]
        if self.rng.random() < 0.4:
            left = self.rng.randrange(500)
            boxes.append(Rectangle(left, 7, left + 31, 99))
        mentions = {m.id: m for m in mentions_by_image([chain.work.image_id])[chain.work.image_id]}
        members = [mentions[member] for member in chain.members]
        state = self.rng.choice(legal_states(len(boxes), members, PROTOCOLS["flickr30k-entities"]))
        decide_chain(
            chain_id=chain.pk,
            by="ada",
            note="",
            now=self.now,
            state=state,
            boxes=boxes,
            flag="scene" if state == "nonvisual" else "",
            version=version_of(chain.work),
        )

    def regroup(self, *, cuts: bool = False) -> None:
        """Let a researcher make new chains of an image: some stay, two are joined, some lose a mention."""
        work = self.rng.choice(list(ImageWork.objects.filter(batch=self.batch).order_by("pk")))
        cut = self._cut(work) if cuts else []
        mentions = mentions_by_image([work.image_id])[work.image_id]
        left = {(m.caption, m.start, m.end): m for m in mentions}
        for one in cut:
            left = {span: m for span, m in left.items() if span[0] != one.caption}
        spans = [*left, *((one.caption, c.start, c.end) for one in cut for c in one.chunks if c.visual)]
        rows = Chain.objects.filter(work=work).exclude(state__in=(SPLIT, WITHDRAWN)).order_by("pk")
        place = {m.id: (m.caption, m.start, m.end) for m in mentions}
        groups = [[place[m] for m in chain.members if place[m] in spans] for chain in rows]
        groups += [[span] for span in spans if not any(span in group for group in groups)]
        groups = [group for group in groups if group]
        if len(groups) > 1 and self.rng.random() < 0.7:
            joined = groups.pop(self.rng.randrange(len(groups)))
            self.rng.choice(groups).extend(joined)
        if self.rng.random() < 0.5 and len(split := self.rng.choice(groups)) > 1:
            groups.append([split.pop()])
        regroup(
            work_id=work.pk,
            by="ada",
            note="",
            now=self.now,
            chains=[NewGroup(tuple(group)) for group in groups],
            cuts=cut,
            version=version_of(work),
        )

    def _cut(self, work: ImageWork) -> list[Cut]:
        """Return one caption whose words are cut into one chunk each."""
        caption = self.rng.choice(list(Caption.objects.filter(image=work.image_id).order_by("pk")))
        count = len(caption.tokens.split(" "))
        return [Cut(caption.index, tuple(Chunk(n, n + 1) for n in range(count)))]
