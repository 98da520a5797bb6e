"""A street: a bus or cars, a cyclist, people who wait."""

from simulation.scenes import buildings, vehicles
from simulation.scenes.captions import article
from simulation.scenes.palette import CLOTH
from simulation.scenes.people import RIDE, STAND, WAVE, make_look
from simulation.scenes.sketch import Sketch, cloth


def street(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    buildings.street(sketch.canvas, rng)
    sketch.place("the street", "a city street", "a street", "the city")
    sketch.topic("houses", "scene", ["a row of houses", "houses", "buildings"], scene=True)
    sketch.topic("day", "other", ["a nice day", "a busy day", "a clear day"])
    captions = _bus(sketch) if rng.random() < 0.5 else _cars(sketch)

    rider = make_look(rng, rng.choice(["man", "woman", "boy"]), hat="cap")
    frame = cloth(rng, rider.shirt)
    pen = sketch.pen("bike", 0.3, 0.965, 0.23)
    vehicles.bicycle(pen, CLOTH[frame])
    seat = sketch.pen("rider", 0.3, 0.965, 0.46)
    sketch.draw_person(seat.at(-0.13, 0.06), rider, RIDE, shadow=False)
    sketch.topic("bike", "vehicles", ["a bicycle", "a bike", f"{article(frame)} bike"], ["bike"])

    waiting = rng.choice([2, 3])
    kinds = rng.sample(["woman", "man", "girl"], waiting)
    worn = {rider.shirt}
    for i, kind in enumerate(kinds):
        look = make_look(rng, kind, worn)
        worn.add(look.shirt)
        size = 0.3 if look.child else 0.38
        sketch.draw_person(
            sketch.pen(f"p{i}", 0.62 + 0.13 * i, 0.755 + 0.01 * (i % 2), size, flip=i % 2 == 1),
            look,
            WAVE if i == 0 else STAND,
        )
    number = {2: "two", 3: "three"}[waiting]
    sketch.topic(
        "waiting",
        "people",
        [f"{number} people", f"{number} pedestrians", "people", "a group of people"],
        [f"p{i}" for i in range(waiting)],
    )
    he = "she" if rider.female else "he"
    captions += [
        "[rider] rides [bike] down [place] .",
        "[rider] wearing [rider.hat] is riding [bike] .",
        "[rider] in [rider.shirt] rides [bike] past [waiting] .",
        "[waiting] stand on [place] in front of [houses] .",
        f"[rider] on [bike] passes [waiting] as [-:{he}] goes along [place] .",
        "[p0] in [p0.shirt] waves at [rider] on [day] .",
        "[p0] is waving to [rider] from the other side of [place] .",
    ]
    if rider.female:
        captions.append("[rider] with [rider.hair] is riding [bike] on [day] .")
    captions.append("[p0] lifts [p0.arm] to greet [rider] .")
    return captions


def _bus(sketch: Sketch) -> list[str]:
    paint = cloth(sketch.rng)
    vehicles.bus(sketch.pen("bus", 0.29, 0.785, 0.175), CLOTH[paint])
    sketch.topic("bus", "vehicles", [f"{article(paint)} bus", "a bus", "a city bus"], ["bus"])
    return [
        "[bus] drives down [place] .",
        "[bus] passes [houses] while [waiting] wait for [-:it] .",
        "[waiting] are waiting next to [bus] .",
        "[rider] rides [bike] beside [bus] on [place] .",
    ]


def _cars(sketch: Sketch) -> list[str]:
    rng = sketch.rng
    one = cloth(rng)
    other = cloth(rng, one)
    vehicles.car(sketch.pen("car0", 0.19, 0.775, 0.15), CLOTH[one])
    vehicles.car(sketch.pen("car1", 0.46, 0.775, 0.13), CLOTH[other])
    sketch.topic("cars", "vehicles", ["two cars", "cars", "parked cars", "two parked cars"], ["car0", "car1"])
    sketch.topic("car", "vehicles", [f"{article(one)} car", f"the {one} car"], ["car0"])
    return [
        "[cars] are parked in front of [houses] .",
        "[car] is parked on [place] .",
        "[rider] rides [bike] past [cars] on [place] .",
        "[rider] on [bike] overtakes [car] .",
        "[waiting] talk near [cars] on [day] .",
    ]
