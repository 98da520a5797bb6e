"""What people make of the sentences of the language test: natural corrections, and answers that are wrong.

Both were written from the faulty sentences alone, before the accepted corrections were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RIGHT: Mapping[str, Sequence[str]] = {
    "Two dogs is running on the beach.": (
        "Two dogs are running on the beach.",
        "Two dogs run on the beach.",
        "Two dogs were running on the beach.",
        "The two dogs are running on the beach.",
    ),
    "A man rides a bicicle.": (
        "A man rides a bicycle.",
        "A man is riding a bicycle.",
        "The man rides a bicycle.",
        "A man rides a bike.",
    ),
    "The woman wear a red coat.": (
        "The woman wears a red coat.",
        "The woman is wearing a red coat.",
        "The woman wore a red coat.",
        "A woman wears a red coat.",
    ),
    "A boy is siting on a bench.": (
        "A boy is sitting on a bench.",
        "A boy sits on a bench.",
        "A boy was sitting on a bench.",
        "The boy is sitting on a bench.",
        "A boy is sitting on the bench.",
    ),
    "An man reads a newspaper.": (
        "A man reads a newspaper.",
        "A man is reading a newspaper.",
        "The man reads a newspaper.",
        "A man reads the newspaper.",
    ),
    "Three childs play in the sand.": (
        "Three children play in the sand.",
        "Three children are playing in the sand.",
        "Three kids play in the sand.",
        "Three children played in the sand.",
    ),
    "A girl jumps of a wall.": (
        "A girl jumps off a wall.",
        "A girl is jumping off a wall.",
        "A girl jumped off a wall.",
        "A girl jumps off of a wall.",
        "A girl jumps from a wall.",
    ),
    "People are standing infront of a shop.": (
        "People are standing in front of a shop.",
        "People stand in front of a shop.",
        "The people are standing in front of a shop.",
        "People are standing in front of the shop.",
    ),
    "A dog catch a ball.": (
        "A dog catches a ball.",
        "A dog is catching a ball.",
        "A dog caught a ball.",
        "The dog catches a ball.",
        "A dog catches the ball.",
    ),
    "The men are waring helmets.": (
        "The men are wearing helmets.",
        "The men wear helmets.",
        "Men are wearing helmets.",
        "The men were wearing helmets.",
    ),
    "There is many boats in the harbour.": (
        "There are many boats in the harbour.",
        "There are many boats in the harbor.",
        "Many boats are in the harbour.",
        "There are a lot of boats in the harbour.",
        "There were many boats in the harbour.",
    ),
    "A woman holds her to children.": (
        "A woman holds her two children.",
        "A woman is holding her two children.",
        "The woman holds her two children.",
        "A woman holds her 2 children.",
    ),
    "A group of people are wait for a bus.": (
        "A group of people are waiting for a bus.",
        "A group of people is waiting for a bus.",
        "A group of people wait for a bus.",
        "A group of people waits for a bus.",
        "A group of people were waiting for a bus.",
        "A group of people is waiting for the bus.",
    ),
    "The cat sleeps on it's blanket.": (
        "The cat sleeps on its blanket.",
        "The cat is sleeping on its blanket.",
        "The cat slept on its blanket.",
        "A cat sleeps on its blanket.",
    ),
    "A man plays an guitar.": (
        "A man plays a guitar.",
        "A man is playing a guitar.",
        "A man plays the guitar.",
        "A man plays guitar.",
        "A man is playing the guitar.",
    ),
    "Two womans talk at a table.": (
        "Two women talk at a table.",
        "Two women are talking at a table.",
        "Two women talked at a table.",
        "Two women were talking at a table.",
    ),
    "A biker jump over a hill.": (
        "A biker jumps over a hill.",
        "A biker is jumping over a hill.",
        "A biker jumped over a hill.",
        "The biker jumps over a hill.",
    ),
    "The kitchen is full of peaple.": (
        "The kitchen is full of people.",
        "The kitchen was full of people.",
        "A kitchen is full of people.",
    ),
    "A child is swiming in a pool.": (
        "A child is swimming in a pool.",
        "A child swims in a pool.",
        "A child was swimming in a pool.",
        "The child is swimming in the pool.",
    ),
    "The players was celebrating a goal.": (
        "The players were celebrating a goal.",
        "The players are celebrating a goal.",
        "The players celebrate a goal.",
        "The players celebrated a goal.",
    ),
    "A man with glasses look at a map.": (
        "A man with glasses looks at a map.",
        "A man with glasses is looking at a map.",
        "A man with glasses looked at a map.",
        "The man with glasses looks at a map.",
        "A man with glasses looks at the map.",
    ),
    "There are a horse in the field.": (
        "There is a horse in the field.",
        "There are horses in the field.",
        "There's a horse in the field.",
        "There was a horse in the field.",
        "A horse is in the field.",
        "There is a horse in a field.",
    ),
    "A lady walks threw the park.": (
        "A lady walks through the park.",
        "A lady is walking through the park.",
        "A lady walked through the park.",
        "The lady walks through the park.",
        "A lady walks through a park.",
    ),
    "The boys are climbing a latter.": (
        "The boys are climbing a ladder.",
        "The boys climb a ladder.",
        "Boys are climbing a ladder.",
        "The boys were climbing a ladder.",
    ),
    "Zwei Hunde läuft am Strand.": (
        "Zwei Hunde laufen am Strand.",
        "Zwei Hunde liefen am Strand.",
        "Die zwei Hunde laufen am Strand.",
    ),
    "Die Frau trägt ein roten Mantel.": (
        "Die Frau trägt einen roten Mantel.",
        "Eine Frau trägt einen roten Mantel.",
    ),
    "Ein Junge sizt auf einer Bank.": (
        "Ein Junge sitzt auf einer Bank.",
        "Ein Junge saß auf einer Bank.",
    ),
    "Drei kinder spielen im Sand.": (
        "Drei Kinder spielen im Sand.",
        "Die drei Kinder spielen im Sand.",
    ),
    "Der Hund fangt einen Ball.": (
        "Der Hund fängt einen Ball.",
        "Der Hund fängt den Ball.",
        "Der Hund fing einen Ball.",
    ),
    "Menschen stehen vor ein Laden.": (
        "Menschen stehen vor einem Laden.",
        "Die Menschen stehen vor einem Laden.",
    ),
    "Eine Frau ließt ein Buch.": (
        "Eine Frau liest ein Buch.",
        "Die Frau liest ein Buch.",
        "Eine Frau las ein Buch.",
    ),
    "Im Hafen liegt viele Boote.": (
        "Im Hafen liegen viele Boote.",
        "Viele Boote liegen im Hafen.",
        "Im Hafen lagen viele Boote.",
    ),
    "Ein Pferd steht auf einer grüne Wiese.": (
        "Ein Pferd steht auf einer grünen Wiese.",
        "Ein Pferd steht auf der grünen Wiese.",
    ),
    "Die Kinder laufen durch der Park.": (
        "Die Kinder laufen durch den Park.",
        "Die Kinder laufen durch einen Park.",
        "Kinder laufen durch den Park.",
    ),
    "Der Mann spielen Gitarre.": (
        "Der Mann spielt Gitarre.",
        "Die Männer spielen Gitarre.",
        "Ein Mann spielt Gitarre.",
    ),
    "Die Jungen klettern auf einen Leiter.": (
        "Die Jungen klettern auf eine Leiter.",
        "Die Jungen klettern auf die Leiter.",
    ),
}
"""By faulty sentence, corrections that remove its mistake and keep its sense."""
WRONG: Mapping[str, Sequence[str]] = {
    "Two dogs is running on the beach.": (
        "Two dogs is run on the beach.",
        "Two dogs are runing on the beach.",
        "Two dogs running on the beach.",
        "Two cats are running on the beach.",
        "Two dogs are running.",
        "A dog is running on the beach.",
        "Two dog are running on the beach.",
    ),
    "A man rides a bicicle.": (
        "A man rides a bicycel.",
        "A man ride a bicycle.",
        "A men rides a bicycle.",
        "A man rides a horse.",
    ),
    "The woman wear a red coat.": (
        "The woman wearing a red coat.",
        "The woman wears a blue coat.",
        "The woman are wearing a red coat.",
        "The woman wear red coat.",
        "The woman wears a red goat.",
    ),
    "A boy is siting on a bench.": (
        "A boy is siting on the bench.",
        "A boy are sitting on a bench.",
        "A boy is sit on a bench.",
    ),
    "An man reads a newspaper.": (
        "Man reads a newspaper.",
        "An man is reading a newspaper.",
    ),
    "Three childs play in the sand.": (
        "Three childrens play in the sand.",
        "Three child play in the sand.",
        "Three children plays in the sand.",
    ),
    "A girl jumps of a wall.": (
        "A girl jumps on a wall.",
        "A girl jump off a wall.",
        "A girl jumps a wall.",
    ),
    "People are standing infront of a shop.": (
        "People are standing infront of the shop.",
        "People is standing in front of a shop.",
        "People are standing in the front of a shop",
    ),
    "A dog catch a ball.": (
        "A dog catchs a ball.",
        "A dog catching a ball.",
        "A dog catches a cat.",
    ),
    "The men are waring helmets.": (
        "The men are wear helmets.",
        "The men are warring helmets.",
        "The man are wearing helmets.",
    ),
    "There is many boats in the harbour.": (
        "There is many boat in the harbour.",
        "There are many boat in the harbour.",
    ),
    "A woman holds her to children.": (
        "A woman holds her too children.",
        "A woman hold her two children.",
    ),
    "A group of people are wait for a bus.": (
        "A group of people are wait for the bus.",
        "A group of people are waiting a bus.",
    ),
    "The cat sleeps on it's blanket.": (
        "The cat sleeps on it blanket.",
        "The cat sleep on its blanket.",
    ),
    "A man plays an guitar.": (
        "A man play a guitar.",
        "A man plays a guitars.",
    ),
    "Two womans talk at a table.": (
        "Two womens talk at a table.",
        "Two woman talk at a table.",
    ),
    "A biker jump over a hill.": (
        "A biker jumping over a hill.",
        "A biker jumps under a hill.",
    ),
    "The kitchen is full of peaple.": (
        "The kitchen is full of peoples.",
        "The kitchen are full of people.",
    ),
    "A child is swiming in a pool.": (
        "A child is swiming in the pool.",
        "A child swim in a pool.",
    ),
    "The players was celebrating a goal.": (
        "The players was celebrating the goal.",
        "The players is celebrating a goal.",
    ),
    "A man with glasses look at a map.": (
        "A man with glasses look at the map.",
        "A man with glasses looking at a map.",
    ),
    "There are a horse in the field.": (
        "There are a horses in the field.",
        "There is horse in the field.",
    ),
    "A lady walks threw the park.": (
        "A lady walk through the park.",
        "A lady walks though the park.",
    ),
    "The boys are climbing a latter.": (
        "The boys are climbing a later.",
        "The boys is climbing a ladder.",
        "",
    ),
    "Zwei Hunde läuft am Strand.": (
        "Zwei Hund laufen am Strand.",
        "Ein Hund läuft am Strand.",
    ),
    "Drei kinder spielen im Sand.": (
        "drei kinder spielen im Sand.",
        "Drei Kinder spielt im Sand.",
    ),
    "Eine Frau ließt ein Buch.": (
        "Eine Frau lest ein Buch.",
        "Eine frau liest ein Buch.",
    ),
    "Der Mann spielen Gitarre.": (
        "Der Mann spiel Gitarre.",
        "Die Männer spielt Gitarre.",
    ),
    "Im Hafen liegt viele Boote.": (
        "Im Hafen liegen viel Boote.",
        "Im hafen liegen viele Boote.",
    ),
}
"""By faulty sentence, answers that leave its mistake, make another, or change its sense."""
