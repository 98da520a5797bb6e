"""Projects whose images have worded captions, in the database."""

from __future__ import annotations

from annotation.models import Caption, GoldChain, Image, Mention, Project
from tests.factories import make_project
from tests.workflows.priors.domain.captions import worded_images


def make_worded(images: int, *, seed: int = 1, gold: bool = False, project: Project | None = None) -> Project:
    """Return a project with so many more worded images, whose chains are known if `gold` says so."""
    project = project or make_project()
    for number, (mentions, truth) in enumerate(worded_images(images, seed)):
        image = Image.objects.create(
            project=project,
            name=f"{seed}-{number}.jpg",
            file=f"{project.name}/{seed}-{number}.jpg",
            width=500,
            height=375,
        )
        texts: dict[int, list[str]] = {}
        for mention in mentions:
            texts.setdefault(mention.caption, []).append(mention.text)
        captions = {
            index: Caption.objects.create(image=image, index=index, text=text, tokens=text)
            for index, text in ((index, " ".join(said)) for index, said in texts.items())
        }
        chains: dict[tuple[str, int], list[int]] = {}
        for mention in mentions:
            row = Mention.objects.create(
                image=image,
                caption=captions[mention.caption],
                start=mention.start,
                end=mention.end,
                text=mention.text,
                head=mention.head,
                types="/".join(mention.types),
            )
            chains.setdefault(truth[mention.id], []).append(row.pk)
        if gold:
            for chain, members in enumerate(chains.values()):
                GoldChain.objects.create(image=image, number=chain + 1, members=members)
    return project
