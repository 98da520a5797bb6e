"""A field: horses behind a fence, someone who visits them, birds."""

from simulation.scenes import animals, nature, things
from simulation.scenes.people import REACH, make_look
from simulation.scenes.sketch import Sketch

_NUMBERS = {1: "a", 2: "two", 3: "three"}


def field(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    horizon = nature.meadow(sketch.canvas, rng, horizon_share=0.4)
    nature.fence(sketch.canvas, horizon + 0.12 * sketch.height)
    sketch.place("a field", "a grassy field", "a meadow", "the pasture")
    sketch.topic("morning", "other", ["the morning", "a quiet morning"])

    things.tree(sketch.pen("tree", 0.9, 0.6, 0.5), rng)
    sketch.topic("tree", "other", ["a tree", "a big tree"], ["tree"])
    coats = rng.sample(["brown", "white", "black", "tan"], rng.choice([2, 2, 3]))
    places = [(0.62, 0.9, 0.27), (0.86, 0.74, 0.18), (0.115, 0.68, 0.16)]
    for i, (coat, (x, y, size)) in enumerate(zip(coats, places, strict=False)):
        animals.horse(sketch.pen(f"horse{i}", x, y, size, flip=i == 0), animals.COATS[coat], grazing=i > 0)
    number = _NUMBERS[len(coats)]
    sketch.topic(
        "horses",
        "animals",
        [f"{number} horses", "horses", "some horses"],
        [f"horse{i}" for i in range(len(coats))],
    )
    sketch.topic(
        "near",
        "animals",
        [f"a {coats[0]} horse", f"the {coats[0]} horse", f"a large {coats[0]} horse"],
        ["horse0"],
    )
    sketch.topic("far", "animals", [f"a {coats[1]} horse", f"the {coats[1]} horse"], ["horse1"])

    visitor = make_look(rng, rng.choice(["girl", "woman", "man"]), hat="straw")
    sketch.draw_person(sketch.pen("visitor", 0.27, 0.95, 0.44 if visitor.child else 0.52), visitor, REACH)
    captions = [
        "[horses] are standing in [place] .",
        "[horses] graze in [place] in [morning] .",
        "[visitor] reaches out to [near] .",
        "[visitor] wearing [visitor.hat] is feeding [near] in [place] .",
        "[visitor] in [visitor.shirt] stands in front of [near] .",
        "[near] looks at [visitor] while [far] eats .",
        "[far] is grazing under [tree] .",
        "[visitor] and [near] are looking at [-:each other] in [place] .",
        "[visitor] with [visitor.hat] and [visitor.legs] visits [horses] .",
        "[visitor.hat] keeps the sun off [visitor] in [place] .",
    ]
    if rng.random() < 0.6:
        captions += _birds(sketch)
    return captions


def _birds(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    count = rng.choice([2, 3])
    for i in range(count):
        pen = sketch.pen(
            f"bird{i}",
            0.3 + 0.12 * i,
            0.16 + rng.uniform(-0.05, 0.05),
            rng.uniform(0.04, 0.05),
            flip=rng.random() < 0.5,
        )
        animals.flying_bird(pen, animals.COATS["gray"])
    number = _NUMBERS[count]
    sketch.topic(
        "birds", "animals", [f"{number} birds", "birds", "some birds"], [f"bird{i}" for i in range(count)]
    )
    return ["[birds] fly over [horses] in [place] .", "[birds] are flying in [-:the air] ."]
