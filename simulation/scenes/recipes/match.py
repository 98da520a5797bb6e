"""A football match: players of one team on the lawn, a packed stand behind them."""

from dataclasses import replace

from simulation.scenes import buildings, things
from simulation.scenes.crowds import crowd
from simulation.scenes.palette import CLOTH
from simulation.scenes.people import CHEER, KICK, RUN, make_look
from simulation.scenes.sketch import Sketch, cloth


def match(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    buildings.stadium(sketch.canvas, rng)
    sketch.place("a stadium", "the stadium", "a large stadium")
    sketch.topic("lawn", "scene", ["the field", "a soccer field", "the grass"], scene=True)
    sketch.topic("game", "other", ["soccer", "a game", "a game of soccer", "a match"])
    crowd(sketch.pen("crowd", 0.5, 0.455, 0.15), rng, width=8.7, rows=4, head=0.42)
    sketch.topic("crowd", "people", ["a crowd", "a large crowd", "the crowd", "a huge crowd"], ["crowd"])

    team = cloth(rng)
    count = rng.choice([2, 3])
    looks = [make_look(rng, "man", {team}) for _ in range(count)]
    spots = [(0.22, 0.95, KICK, False), (0.6, 0.86, RUN, True), (0.86, 0.95, CHEER, True)]
    for i, (look, (x, y, pose, flip)) in enumerate(zip(looks, spots, strict=False)):
        keeper = i == 2
        shirt = cloth(rng, team) if keeper else team
        look = replace(
            look,
            shirt=shirt,
            legs="shorts",
            legs_colour="black" if keeper else "white",
            hat="cap" if keeper else "",
            hat_colour="red",
        )
        sketch.draw_person(sketch.pen(f"p{i}", x, y, 0.47, flip), look, pose)
    sketch.topic(
        "team", "people", ["two players", "two soccer players", "two men", "the players"], ["p0", "p1"]
    )
    shirts = [f"{team} shirts", f"{team} jerseys", f"their {team} shirts", f"matching {team} shirts"]
    sketch.topic("shirts", "clothing", shirts, ["p0/shirt", "p1/shirt"])
    things.ball(sketch.pen("ball", 0.4, 0.93, 0.07), CLOTH["white"])
    sketch.topic("ball", "other", ["a ball", "the ball", "a soccer ball"], ["ball"])
    captions = [
        "[team] are playing [game] .",
        "[team] in [shirts] run after [ball] .",
        "[team] wearing [shirts] play [game] in [place] .",
        "[crowd] watches [team] on [lawn] .",
        "[crowd] cheers at [game] in [place] .",
        "[p0:one soccer player] kicks [ball] across [lawn] .",
        "[p0:one player] is about to kick [ball] in front of [crowd] .",
        "[team] chase [ball] on [lawn] with [crowd] in [-:the background] .",
        "[p1:another player] runs towards [ball] .",
    ]
    if count == 3:
        captions += [
            "[p2:the goalkeeper] in [p2.hat] raises [p2.arms:his arms] .",
            "[p2:a goalkeeper] wearing [p2.shirt] cheers on [lawn] .",
        ]
        sketch.topic("p2.arms", "bodyparts", ["his arms"], ["p2/arm", "p2/back_arm"])
    return captions
