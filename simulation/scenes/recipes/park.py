"""A park in portrait or landscape: a walker, dogs, a bench, a tree, perhaps an umbrella."""

from simulation.scenes import animals, nature, things
from simulation.scenes.captions import article
from simulation.scenes.palette import CLOTH
from simulation.scenes.people import WALK, Pose, make_look
from simulation.scenes.sketch import Sketch, cloth


def park(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    tall = sketch.height > sketch.width
    nature.meadow(sketch.canvas, rng, path=True)
    sketch.place("a park", "the park", "a city park")
    sketch.topic("grass", "scene", ["the grass", "green grass"], scene=True)
    sketch.topic("path", "scene", ["a path", "a dirt path", "a walkway"], scene=True)
    sketch.topic("walk", "other", ["a walk", "a stroll"])

    things.tree(sketch.pen("tree", 0.17, 0.7, 0.62 if tall else 0.6), rng)
    sketch.topic("tree", "other", ["a tree", "a large tree", "a green tree"], ["tree"])
    things.bench(sketch.pen("bench", 0.75, 0.68, 0.2))
    sketch.topic("bench", "other", ["a bench", "a park bench", "a wooden bench"], ["bench"])

    coats = rng.sample(["brown", "black", "white", "tan"], rng.choice([1, 2] if tall else [1, 2, 2, 3]))
    first, spacing, size = (0.85, 0.27, 0.22) if tall else (0.9, 0.21, 0.24)
    for i, coat in enumerate(coats):
        flip = rng.random() < 0.3
        pen = sketch.pen(f"dog{i}", first - spacing * i, 0.9 - 0.03 * (i % 2), size, flip)
        animals.dog(pen, animals.COATS[coat], rng)
    number = {1: "a", 2: "two", 3: "three"}[len(coats)]
    plural = len(coats) > 1
    pack = (
        [f"{number} dogs", f"{number} dogs", "dogs", "some dogs"]
        if plural
        else ["a dog", f"a {coats[0]} dog", "the dog"]
    )
    sketch.topic("dogs", "animals", pack, [f"dog{i}" for i in range(len(coats))])
    if plural:
        sketch.topic(
            "first", "animals", [f"a {coats[0]} dog", f"the {coats[0]} dog", f"a {coats[0]} puppy"], ["dog0"]
        )

    walker = make_look(rng, rng.choice(["man", "woman"]), hat=rng.choice(["", "cap"]))
    rain = rng.random() < 0.5
    x = 0.3
    pose = (
        Pose(
            back_hand=(-0.17, -0.48),
            front_hand=(0.17, -0.62),
            back_foot=(-0.15, -0.03),
            front_foot=(0.15, -0.02),
        )
        if rain
        else WALK
    )
    sketch.draw_person(sketch.pen("walker", x, 0.93, 0.56), walker, pose)
    are, walks = ("are", "walk") if plural else ("is", "walks")
    him = "her" if walker.female else "him"
    captions = [
        "[walker] is walking [dogs] in [place] .",
        "[walker] in [walker.shirt] walks along [path] with [dogs] .",
        f"[dogs] {are} running on [grass] near [bench] .",
        "[walker] wearing [walker.legs] takes [walk] through [place] .",
        f"[dogs] {walks} past [bench] and [tree] .",
        "[walker] takes [dogs] for [walk] on [path] .",
        "[bench] stands on [grass] with [tree] in [-:the background] .",
        f"[walker] passes [tree] in [place] while [dogs] {walks} ahead of [-:{him}] .",
    ]
    if walker.hat:
        captions.append("[walker] in [walker.hat] and [walker.shirt] is out with [dogs] .")
    if walker.female:
        captions.append("[walker] with [walker.hair] goes for [walk] .")
    if plural:
        captions += ["[first] is next to [walker] on [path] .", "[walker] calls [first] in [place] ."]
    if rain:
        paint = cloth(rng, walker.shirt)
        hand = sketch.pen("umbrella", x, 0.93, 0.56).at(0.17, -0.62, 1.1)
        things.umbrella(hand, CLOTH[paint])
        sketch.topic(
            "umbrella",
            "other",
            ["an umbrella", f"{article(paint)} umbrella", "an open umbrella"],
            ["umbrella"],
        )
        captions += [
            "[walker] holding [umbrella] walks with [dogs] .",
            "[walker] carries [umbrella] through [place] .",
        ]
    return captions
