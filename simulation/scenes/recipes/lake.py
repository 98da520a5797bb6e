"""A lake: someone fishing from a boat, birds over the water."""

from simulation.scenes import animals, nature, things, vehicles
from simulation.scenes.captions import article
from simulation.scenes.palette import CLOTH
from simulation.scenes.people import SIT, Pose, make_look
from simulation.scenes.sketch import Sketch, cloth

_ANGLER = Pose(
    back_hand=(0.16, -0.52), front_hand=(0.24, -0.56), back_foot=SIT.back_foot, front_foot=SIT.front_foot
)


def lake(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    nature.lake(sketch.canvas, rng)
    sketch.place("a lake", "the lake", "calm water", "the water")
    sketch.topic("mountains", "scene", ["mountains", "the mountains", "hills"], scene=True)
    sketch.topic("day", "other", ["a calm day", "a beautiful day", "a nice day"])

    paint = cloth(rng)
    tall = sketch.height > sketch.width
    x, y, size, body = 0.4, 0.8, 0.26 if tall else 0.3, 0.5
    angler = make_look(rng, rng.choice(["man", "woman", "boy"]), {paint}, hat=rng.choice(["straw", "cap"]))
    crew = rng.random() < 0.5
    seat = y + 0.07 * min(sketch.width, sketch.height) / sketch.height
    pen = sketch.pen("angler", x + 0.02, seat, body)
    mate = make_look(rng, "girl" if angler.kind == "man" else "man", {paint, angler.shirt})
    if crew:
        sketch.draw_person(
            sketch.pen("mate", x - (0.2 if tall else 0.17), seat, body * (0.85 if mate.child else 0.95)),
            mate,
            SIT,
            shadow=False,
        )
        sketch.topic("both", "people", ["two people", "a couple of people", "people"], ["angler", "mate"])
    sketch.draw_person(pen, angler, _ANGLER, ("a fisherman", *_plain(angler.kind)), shadow=False)
    rod = sketch.pen("rod", x + 0.02, seat, body)
    things.fishing_rod(rod, (0.2, -0.54), (0.62, -0.98), (0.72 if not tall else 0.66, -0.12))
    sketch.topic("rod", "other", ["a fishing rod", "a fishing pole", "a rod"], ["rod"])
    vehicles.rowing_boat(sketch.pen("boat", x, y, size), CLOTH[paint])
    sketch.topic(
        "boat", "vehicles", ["a boat", f"{article(paint)} boat", "a small boat", "a rowboat"], ["boat"]
    )

    count = rng.choice([2, 3, 4])
    for i in range(count):
        animals.flying_bird(
            sketch.pen(
                f"bird{i}", 0.14 + 0.16 * i, 0.2 + rng.uniform(-0.08, 0.05), rng.uniform(0.055, 0.075)
            ),
            animals.COATS["white"],
        )
    number = {2: "two", 3: "three", 4: "four"}[count]
    sketch.topic(
        "birds",
        "animals",
        [f"{number} birds", "birds", "seagulls", "a few birds"],
        [f"bird{i}" for i in range(count)],
    )
    captions = [
        "[angler] is fishing from [boat] .",
        "[angler] wearing [angler.hat] sits in [boat] on [place] .",
        "[angler] in [angler.shirt] holds [rod] .",
        "[birds] are flying over [place] .",
        "[birds] fly in [-:the air] above [boat] .",
        "[boat] on [place] with [mountains] in [-:the background] .",
        "[angler] with [rod] fishes in [place] on [day] .",
        "[angler] with [angler.hat] and [rod] waits for [-:a bite] .",
        "[angler] enjoys [day] while [birds] fly over [-:the area] .",
    ]
    if crew:
        captions += [
            "[both] are sitting in [boat] .",
            "[both] go fishing in [boat] on [day] .",
            "[mate] in [mate.shirt] watches [angler] fish .",
        ]
    return captions


def _plain(kind: str) -> tuple[str, ...]:
    return (f"a {kind}", f"a young {kind}", f"the {kind}")
