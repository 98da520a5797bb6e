"""A concert: musicians on a stage, a crowd before it."""

from simulation.scenes import buildings, instruments
from simulation.scenes.captions import article
from simulation.scenes.crowds import crowd
from simulation.scenes.palette import CLOTH
from simulation.scenes.people import make_look
from simulation.scenes.sketch import Sketch

_PLAYERS = {
    "guitar": ("guitarist", instruments.GUITARIST),
    "trumpet": ("trumpet player", instruments.TRUMPETER),
    "drum": ("drummer", instruments.DRUMMER),
    "violin": ("violinist", instruments.VIOLINIST),
}


def concert(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    edge = buildings.stage(sketch.canvas, rng) / sketch.height
    sketch.place("a stage", "the stage", "stage")
    sketch.topic("music", "other", ["music", "a song", "live music"])
    sketch.topic("show", "other", ["a concert", "a show", "the performance"])

    chosen = rng.sample(list(_PLAYERS), rng.choice([2, 3]))
    kinds = ["man", "woman", rng.choice(["man", "woman"])]
    rng.shuffle(kinds)
    worn: set[str] = set()
    for i, tool in enumerate(chosen):
        title, pose = _PLAYERS[tool]
        look = make_look(rng, kinds[i], worn, hat="cap" if i == 0 and rng.random() < 0.5 else "")
        worn.add(look.shirt)
        x = (i + 0.5) / len(chosen)
        names = (f"a {title}", f"a {look.kind}", f"a {look.kind}", f"a young {look.kind}")
        sketch.draw_person(sketch.pen(f"m{i}", x, edge, 0.6), look, pose, names)
        _instrument(sketch, i, tool, x, edge)
    number = {2: "two", 3: "three"}[len(chosen)]
    band = [f"{number} musicians", f"{number} people", "the band members", "the musicians"]
    sketch.topic("band", "people", band, [f"m{i}" for i in range(len(chosen))])
    crowd(sketch.pen("crowd", 0.5, 1.04, 0.2), rng, width=5.4, rows=3, head=0.46)
    sketch.topic(
        "crowd", "people", ["a crowd", "a large crowd", "a crowd of people", "the audience"], ["crowd"]
    )
    captions = [
        "[band] are playing on [place] .",
        "[band] perform [music] in front of [crowd] .",
        "[crowd] watches [band] on [place] .",
        "[crowd] listens to [music] at [show] .",
        "[band] play [music] together while [crowd] watches [-:them] .",
        "[m0] plays [t0] next to [m1] with [t1] .",
        "[m0] in [m0.shirt] plays [t0] on [place] .",
        "[m1] in [m1.shirt] and [m1.legs] is playing [t1] .",
        "[m1] with [t1] performs for [crowd] .",
        "[m0] is playing [music] on [t0] during [show] .",
    ]
    if len(chosen) == 3:
        captions += [
            "[m2] wearing [m2.shirt] plays [t2] .",
            "[m2] and [m0] play [music] in front of [crowd] .",
        ]
    return captions


def _instrument(sketch: Sketch, i: int, tool: str, x: float, edge: float) -> None:
    rng = sketch.rng
    pen = sketch.pen(f"t{i}", x, edge, 0.6)
    names = [f"a {tool}", f"the {tool}"]
    if tool == "guitar":
        paint = rng.choice(["red", "orange", "brown", "blue"])
        instruments.guitar(pen, CLOTH[paint])
        names.append(f"{article(paint)} guitar")
    elif tool == "drum":
        paint = rng.choice(["red", "blue", "green"])
        instruments.drum(pen, CLOTH[paint])
        names.append(f"{article(paint)} drum")
    elif tool == "trumpet":
        instruments.trumpet(pen)
    else:
        instruments.violin(pen)
    sketch.topic(f"t{i}", "instruments", names, [f"t{i}"])
