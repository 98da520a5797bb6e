"""What the search and the inspector of the photographed site show: an image whose chains have boxes."""

from __future__ import annotations

from functools import cached_property

PAGES = ("images", "inspector", "inspector-chain")


class Inspected:
    """Addresses in the site's project, which are looked up when the first page is wanted."""

    def __init__(self, project_name: str) -> None:
        self.project_name = project_name

    @cached_property
    def paths(self) -> dict[str, str]:
        """Return the address below /admin/ of each page."""
        from annotation.models import ImageWork, Project
        from console.inspector.image_page import Shown, showing
        from console.inspector.sources import choices, chosen, draft

        project = Project.objects.get(name=self.project_name)
        works = ImageWork.objects.filter(batch__project=project, chains__boxes_accepted__gt=0).distinct()

        def chains(image: int, batch: int) -> list[Shown]:
            choice = chosen(choices(image), str(batch))
            return showing(draft(image, choice), choice).chains

        found = {work.image_id: chains(work.image_id, work.batch_id) for work in works}
        image = max(found, key=lambda pk: (sum(len(chain.boxes) for chain in found[pk]), -pk))
        chain = max(found[image], key=lambda chain: (bool(chain.boxes), chain.mentions))
        return {
            "images": f"projects/{project.pk}/images/?phrase=a",
            "inspector": f"images/{image}/?source=gold",
            "inspector-chain": f"images/{image}/#chain-{chain.letter}",
        }
