"""What an image of a campaign takes: a few questions, and about as many judgments of each as it wants."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.answers import CampaignStage
from annotation.domain.protocols import Campaign
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.chain_course import Taken
from workflows.batches.domain.image_work import Drawn
from workflows.batches.domain.link_work import ImageShape
from workflows.batches.domain.page_course import Played
from workflows.questions.domain.supply import entrance_length

REFUSED = 0.05
"""The share of written captions that is refused, and written again by somebody else [ours]."""


def people_of_campaign(settings: BatchSettings) -> dict[str, int]:
    """Return how many different people each stage needs for one image.

    Nobody writes two captions about an image, checks what they wrote, or judges the same captions twice.
    """
    needed: dict[str, int] = {}
    for stage in settings.stages:
        match stage:
            case CampaignStage.WRITING:
                needed[stage] = settings.captions.wanted
            case CampaignStage.CAPTION_CHECK:
                needed[stage] = 2 if settings.captions.check else 1
            case _:
                needed[stage] = settings.relevance.judges
    return needed


class CampaignModel:
    """What images like `sample` take under these settings. It has what `image_work.Model` has.

    If captions are judged, an image has an entry for each question about it.
    """

    def __init__(self, sample: Sequence[ImageShape], settings: BatchSettings) -> None:
        self.sample = len(sample)
        self.links_vary = self.chains_vary = 0.0
        self._settings = settings
        self._questions = sum(map(len, sample)) / max(1, len(sample))

    def taken(self, drawn: Drawn) -> dict[str, Taken]:
        """Return the work of an image on average, by stage. As workers err, more captions are refused."""
        settings = self._settings
        if settings.campaign is Campaign.RELEVANCE:
            stage, judges = settings.stages[0], settings.relevance.judges
            return {stage: Taken(self._questions, self._questions * judges)}
        written = settings.captions.wanted * (1 + min(0.5, REFUSED * drawn.errors))
        checked = written if settings.captions.check else 0.0
        return {
            str(CampaignStage.WRITING): Taken(1.0, written),
            str(CampaignStage.CAPTION_CHECK): Taken(checked, checked),
        }


def entrances_of(settings: BatchSettings, workers: int) -> Played:
    """Return a play in which all pages are full, and everybody who is there enters every stage.

    All questions of a campaign are open from its beginning, so hardly a page is not full [ours].
    """
    pages = {
        stage: workers * entrance_length(settings, stage) // settings.items_a_page[stage]
        for stage in settings.stages
        if settings.regime[stage] == Regime.TRUSTED
    }
    return Played({}, {}, pages)
