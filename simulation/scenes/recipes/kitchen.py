"""A kitchen: a cook at a table with a cake or fruit, perhaps a child, a cat on the floor."""

from dataclasses import replace

from simulation.scenes import animals, buildings, things
from simulation.scenes.captions import article
from simulation.scenes.palette import CLOTH
from simulation.scenes.people import HOLD, STAND, WAVE, make_look
from simulation.scenes.sketch import Sketch, cloth


def kitchen(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    tall = sketch.height > sketch.width
    buildings.kitchen(sketch.canvas, rng)
    sketch.place("a kitchen", "the kitchen", "a bright kitchen")
    sketch.topic("dinner", "other", ["dinner", "a party", "a birthday"])

    cook = replace(make_look(rng, rng.choice(["man", "woman"]), {"white"}, hat="chef"), apron=True)
    names = ("a chef", "a cook", f"a {cook.kind}", "the cook")
    foot = 0.87 if tall else 0.9
    sketch.draw_person(
        sketch.pen("cook", 0.27, foot, 0.68 if tall else 0.66),
        cook,
        HOLD if rng.random() < 0.5 else WAVE,
        names,
    )

    spread = cloth(rng, cook.shirt)
    half = 0.21 if tall else 0.2
    table = sketch.pen("table", 0.7, 0.88, half * 1.2)
    things.table(table, CLOTH[spread])
    sketch.topic("table", "other", ["a table", "the table", "a wooden table"], ["table"])

    icing = rng.choice(["pink", "white", "blue"])
    things.cake(sketch.pen("cake", 0.7, 0.88, half * 1.2).at(-0.42, -0.76, 0.62), CLOTH[icing])
    sketch.topic("cake", "other", ["a cake", "a birthday cake", f"{article(icing)} cake"], ["cake"])
    fruit = rng.choice(["oranges", "apples"])
    things.bowl(
        sketch.pen("bowl", 0.7, 0.88, half * 1.2).at(0.42, -0.75, 0.6),
        CLOTH[cloth(rng, "orange", "red", spread)],
        CLOTH["orange" if fruit == "oranges" else "red"],
    )
    sketch.topic("bowl", "other", [f"a bowl of {fruit}", "a bowl", "a fruit bowl"], ["bowl"])

    coat = rng.choice(["gray", "black", "tan"])
    animals.cat(sketch.pen("cat", 0.5, 0.97, 0.17, flip=rng.random() < 0.5), animals.COATS[coat])
    sketch.topic("cat", "animals", ["a cat", f"a {coat} cat", "the cat"], ["cat"])
    captions = [
        "[cook] is standing in [place] next to [table] .",
        "[cook] wearing [cook.apron] has made [cake] .",
        "[cook] in [cook.hat] and [cook.apron] prepares [dinner] .",
        "[cat] sits on the floor of [place] .",
        "[cake] and [bowl] are on [table] .",
        f"[cook] shows [-:{'her' if cook.female else 'his'} work] while [cat] waits in front of [table] .",
        "[cook] in [cook.shirt] looks at [cake] on [table] in [-:the middle] of [place] .",
        "[cat] is watching [cook] bake [cake] for [dinner] .",
        "[cook] with [cook.hat] made [cake] and filled [bowl] .",
    ]
    return captions + ([] if tall else _child(sketch))


def _child(sketch: Sketch) -> list[str]:
    child = make_look(sketch.rng, sketch.rng.choice(["boy", "girl"]), {"white"})
    sketch.draw_person(sketch.pen("child", 0.915, 0.95, 0.44, flip=True), child, STAND)
    sketch.topic("both", "people", ["two people", "a family", "two cooks"], ["cook", "child"])
    return [
        "[child] helps [cook] in [place] .",
        "[both] are cooking together in [place] .",
        "[child] in [child.shirt] stands by [table] with [bowl] .",
        "[both] prepare [cake] for [dinner] .",
    ]
