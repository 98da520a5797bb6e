"""A beach: someone with a ball, someone under a parasol, a kite or a dog, boats out at sea."""

from simulation.scenes import animals, nature, things, vehicles
from simulation.scenes.captions import article
from simulation.scenes.palette import CLOTH
from simulation.scenes.people import CHEER, KICK, RUN, WAVE, make_look
from simulation.scenes.sketch import Sketch, cloth


def beach(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    nature.beach(sketch.canvas, rng)
    sketch.place("the beach", "a beach", "a sandy beach", "the sand")
    sketch.topic("sea", "scene", ["the ocean", "the water", "the sea"], scene=True)
    sketch.topic("day", "other", ["a sunny day", "a nice day", "a summer day"])
    sketch.topic("fun", "other", ["fun"])

    sail = cloth(rng)
    boats = rng.choice([1, 2])
    for i in range(boats):
        vehicles.sailing_boat(
            sketch.pen(f"boat{i}", 0.16 + 0.17 * i + rng.uniform(-0.03, 0.03), 0.44 + 0.02 * i, 0.085),
            CLOTH[sail],
        )
    boat_names = (
        ["two sailboats", "two boats", "sailboats"]
        if boats == 2
        else ["a sailboat", "a boat", f"{article(sail)} boat"]
    )
    sketch.topic("boats", "vehicles", boat_names, [f"boat{i}" for i in range(boats)])

    shade = cloth(rng, sail)
    things.parasol(sketch.pen("parasol", 0.83, 0.76, 0.42), CLOTH[shade])
    sketch.topic(
        "parasol", "other", [f"{article(shade)} umbrella", "a beach umbrella", "an umbrella"], ["parasol"]
    )

    child = make_look(rng, rng.choice(["boy", "girl"]), {shade})
    adult = make_look(rng, rng.choice(["man", "woman"]), {shade, child.shirt}, hat="straw")
    wave = rng.random() < 0.6
    sketch.draw_person(sketch.pen("adult", 0.66, 0.88, 0.54, flip=True), adult, WAVE if wave else CHEER)
    sketch.draw_person(sketch.pen("child", 0.3, 0.9, 0.4), child, rng.choice([KICK, RUN]))
    sketch.topic("both", "people", ["two people", "two people", "a family", "people"], ["adult", "child"])

    paint = cloth(rng, shade, sail)
    things.ball(sketch.pen("ball", 0.47, 0.9, 0.085), CLOTH[paint])
    sketch.topic("ball", "other", ["a ball", f"{article(paint)} ball", "a beach ball"], ["ball"])
    him = "her" if child.female else "him"
    he = "she" if adult.female else "he"
    his = "her" if adult.female else "his"
    captions = [
        "[child] kicks [ball] on [place] .",
        "[child] in [child.shirt] is playing with [ball] near [sea] .",
        "[adult] wearing [adult.hat] waves next to [parasol] .",
        "[adult] in [adult.shirt] and [child] are playing on [place] .",
        "[both] play with [ball] at [place] on [day] .",
        "[both] are having [fun] on [place] with [boats] in [-:the background] .",
        f"[child] runs after [ball] while [adult] cheers [-:{him}] on .",
        f"[adult] with [adult.hat] watches [child] as [-:{he}] stands by [parasol] .",
        "[boats] on [sea] behind [both] .",
    ]
    if wave:
        captions += [
            f"[adult] lifts [adult.arm:{his} arm] next to [parasol] .",
            f"[adult.arm:a {adult.kind} 's arm|bodyparts/people] waves at [child] on [place] .",
        ]
    if child.female:
        captions.append("[child] with [child.hair] and [child.shirt] plays by [sea] .")
    return captions + (_kite(sketch) if rng.random() < 0.5 else _dog(sketch))


def _kite(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    paint = cloth(rng)
    things.kite(sketch.pen("kite", 0.52, 0.17, 0.17), CLOTH[paint])
    sketch.topic("kite", "other", ["a kite", f"{article(paint)} kite"], ["kite"])
    return ["[kite] flies in [-:the air] over [place] .", "[both] look at [kite] high above [sea] ."]


def _dog(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    coat = rng.choice(["brown", "black", "white"])
    animals.dog(sketch.pen("dog", 0.1, 0.84, 0.17), animals.COATS[coat], rng)
    sketch.topic("dog", "animals", ["a dog", f"a {coat} dog", "the dog"], ["dog"])
    return ["[dog] runs towards [child] on [place] .", "[dog] and [child] chase [ball] at [place] ."]
