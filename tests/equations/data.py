"""Random graphs as JSON lines, with all that graphs may carry, and answers that mean nothing: equations hold
whether something was learned or not."""

import json
import random

CLASSES = ["red", "green", "blue"]


def write_graphs(path, answer, seed, count=12, **parts):
    """parts: what else graphs have, by the names of MAKERS; arguments: how many (2)."""
    dice = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps(graph(dice, number, answer, parts)) + "\n")


def graph(dice, number, answer, parts):
    nodes = dice.randint(3, 6)
    names = [f"n{i}" for i in dice.sample(range(9), nodes)] if parts.get("names") else list(range(nodes))
    pick = lambda: dice.choice(names)
    # Parallel edges and loops are wanted: each counts as often as it is listed.
    edges = [[pick(), dice.choice(["likes", "owns", "7"]), pick()] for _ in range(2 * nodes)]
    line = {"nodes": names if parts.get("names") else nodes, "edges": edges + edges[:1] + [[names[0], "owns", names[0]]]}
    for key, maker in MAKERS.items():
        if key in parts:
            line[key] = maker(dice, nodes, len(line["edges"]))
    if parts.get("strange_type"):  # one that a model does not know
        line["node_types"][0] = ["cat", "unheard-of"]
    arguments = dice.sample(names, parts.get("arguments", 2))
    questions = [{"type": kind, "arguments": arguments[: len(arguments) - i]} for i, kind in enumerate(parts.get("types", ["which"]))]
    for question in questions:
        question["answer"] = {answer: make_answer(dice, answer, names)}
        if parts.get("observed"):
            width = parts.get("arguments", 2) + 2 * ("features" in parts) + 2 * ("node_types" in parts)
            question["annotations"] = [
                [[dice.randint(0, 1) for _ in range(width)] for _ in names] for _ in question["answer"][answer]
            ]
    line["questions"] = questions
    return line


def rows(dice, count, width, scale):
    return [[round(dice.uniform(-scale, scale), 3) for _ in range(width)] for _ in range(count)]


MAKERS = {
    "features": lambda dice, nodes, edges: rows(dice, nodes, 2, 5),
    "sparse_features": lambda dice, nodes, edges: {
        "width": 5,
        "rows": [[dice.randint(0, 1), [dice.randint(2, 4), round(dice.uniform(-3, 3), 2)]] for _ in range(nodes)],
    },
    "node_types": lambda dice, nodes, edges: [dice.choice(["cat", 7, None, ["cat", 7]]) for _ in range(nodes)],
    "edge_weights": lambda dice, nodes, edges: [round(dice.uniform(-0.5, 2), 2) for _ in range(edges)],
    "edge_features": lambda dice, nodes, edges: rows(dice, edges, 3, 2),
}


def make_answer(dice, answer, names):
    some = range(dice.randint(2, 3))
    return {
        "node": lambda: dice.choice(names),
        "class": lambda: dice.choice(CLASSES),
        "numbers": lambda: rows(dice, 1, 2, 30)[0],
        "node_classes": lambda: [dice.choice(CLASSES + [None]) for _ in names],
        "node_numbers": lambda: rows(dice, len(names), 2, 30),
        "nodes": lambda: [dice.choice(names) for _ in some],
        "classes": lambda: [dice.choice(CLASSES) for _ in some],
    }[answer]()


PEOPLE, THINGS, PLACES = ["Ann", "Bob", "Eve"], ["milk", "football"], ["garden", "office", "hall"]


def write_stories(path, answer, seed, count=8, unknown=False):
    """Stories in English. unknown: words that others do not have, and longer sentences."""
    dice = random.Random(seed)
    people = PEOPLE + (["Zoe", "Max"] if unknown else [])
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            number = 0
            for _ in range(dice.randint(1, 5)):
                number += 1
                who, thing, place = dice.choice(people), dice.choice(THINGS), dice.choice(PLACES)
                file.write(f"{number} " + dice.choice([
                    f"{who} went to the {place}.",
                    f"{who} and {dice.choice(people)} took the {thing}, then the {dice.choice(THINGS)}.",
                    f"The {thing} is in the {place}" + (" behind the new wall, Zoe said no!" if unknown else "."),
                ]) + "\n")
                if dice.random() < 0.5:
                    number += 1
                    some = [dice.choice(PLACES + THINGS + ["yes", "no"]) for _ in range(dice.randint(1, 3) if answer == "classes" else 1)]
                    file.write(f"{number} Where is {dice.choice(people)}, {dice.choice(THINGS)}?\t{','.join(some)}\n")
            file.write(f"{number + 1} Who is there?\tno{',yes' if answer == 'classes' else ''}\n")
