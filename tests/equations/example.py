"""The worked example of docs/equations.md: what the page says is compared with what the program makes, and what
follows from the page's parameters with the page's numbers.

    example.py PROGRAM PAGE          compares
    example.py PROGRAM PAGE print    prints the numbers as the page has them
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import forward
from files import Model, read_data

HEADING = "## A worked example"
# The page has six decimals. Training on another processor may round otherwise, and Adam amplifies that.
OWN, MADE = 1e-5, 1e-3


def blocks(page):
    """The fenced blocks of the section: data, commands, parameters, what follows from them."""
    text = Path(page).read_text(encoding="utf-8").split(HEADING)[1].split("\n## ")[0]
    found = re.findall(r"```\w*\n(.*?)```", text, re.S)
    if len(found) != 4:
        raise AssertionError(f"{page}: {len(found)} blocks under '{HEADING}'; expected 4")
    return found


def numbers(block):
    """{name: array} of lines `name = [[...]]`; comments follow a #."""
    lines = [line.split("#")[0] for line in block.splitlines()]
    return {line.split(" = ")[0]: np.array(json.loads(line.split(" = ")[1])) for line in lines if " = " in line}


def make(program, data, commands):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tiny.jsonl").write_text(data, encoding="utf-8")
        printed = ""
        for line in commands.splitlines():
            if line.startswith("$ ./ggsnn "):
                words = [Path(program).resolve(), *shlex.split(line[len("$ ./ggsnn ") :])]
                printed = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout
        return Model(Path(folder, "tiny.ggsnn")), read_data(Path(folder, "tiny.jsonl"))[0], printed


def follows(model, p, record):
    """All that is computed on the way to the answer of the first question."""
    net, out = model.net, {}
    x = out["x"] = forward.first_annotations(model.meta, net, p, record, record.questions[0][1])
    messages = forward.Messages(model.meta, net, record, record.nodes)
    h = out["h(0)"] = np.hstack([x, np.zeros((len(x), net["state"] - x.shape[1]))])
    for t in range(1, net["steps"] + 1):
        a = out[f"a({t})"] = forward.heard(net, p, "propagation.", messages, h, x)
        z, r, candidate, h = forward.gates(net, p, "propagation.", a, h)
        out |= {f"z({t})": z, f"r({t})": r, f"h~({t})": candidate, f"h({t})": h}
    out["gate"] = forward.sigma(np.hstack([h, x]) @ p["output.W_g"] + p["output.b_g"])
    out["o"] = forward.node_output(p, "output.", h, x)
    out["answer"] = forward.softmax(out["o"][:, 0])
    return out


def text_of(values):
    return "".join(f"{name} = {json.dumps(value.round(6).tolist())}\n" for name, value in values.items())


def differ(what, expected, found, tolerance):
    if expected.keys() != found.keys():
        return [f"{what}: the page has {', '.join(found)}; expected {', '.join(expected)}"]
    worst = {name: np.abs(expected[name] - found[name]).max() for name in expected}
    return [f"{what}: {name} is off by {d}; expected less than {tolerance}" for name, d in worst.items() if not d < tolerance]


def main(program, page, what="compare"):
    data, commands, parameters, rest = blocks(page)
    model, record, printed = make(program, data, commands)
    made = model.networks[0][0]
    if what == "print":
        print(text_of(made) + "\n" + text_of(follows(model, made, record)))
        return
    p = numbers(parameters)
    wrong = differ("parameters", made, p, MADE) + differ("what follows", follows(model, p, record), numbers(rest), OWN)
    ranking = dict(json.loads(printed.splitlines()[0])["ranking"])
    answer = {"answer": np.array([ranking[name] for name in record.names])}
    wrong += differ("predict", answer, {"answer": numbers(rest)["answer"]}, MADE)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
