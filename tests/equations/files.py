"""Model files and data as docs/equations.md describes them, read without the program: the page's section 'A
model file' and the first half of 'From data to annotations'. Names here are the page's."""

import json
import struct

import numpy as np


class Model:
    """What a model file holds: meta (the JSON under the key `ggsnn`) and, for each network and member, its
    tensors by name, in double precision."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8 : 8 + length])
        self.meta = json.loads(header.pop("__metadata__")["ggsnn"])
        self.net = self.meta["network"]
        self.kind = self.net.get("model", "ggnn")
        self.networks = [[{} for _ in range(count)] for count in self.meta["members"]]
        body = data[8 + length :]
        for key, entry in header.items():
            assert entry["dtype"] == "F32", f"{path}: {key} is {entry['dtype']}; expected F32"
            first, last = entry["data_offsets"]
            question, member, name = key.split(".", 2)
            values = np.frombuffer(body[first:last], "<f4").reshape(entry["shape"])
            self.networks[int(question)][int(member)][name] = values.astype(np.float64)

    def members(self, question_type):
        """The members that answer this type of question."""
        if len(self.networks) == 1 and self.kind in ("rnn", "lstm", "reader"):
            return self.networks[0]
        return self.networks[self.meta["question_types"].index(question_type)]


class Record:
    """A graph and its questions, whatever format they come from."""

    def __init__(self, nodes, names=None):
        self.nodes, self.names = nodes, names
        self.edges, self.weights, self.edge_features = [], None, None
        self.features, self.types = None, [[] for _ in range(nodes)]
        self.questions = []  # (type, arguments as node numbers)
        self.text = None  # of stories in English: the words of the sentences, then those of the question

    def name(self, node):
        """As the program prints it."""
        return node if self.names is None else self.names[node]


def single(numbers):
    """What is given in data is rounded to single precision on its way in."""
    return np.asarray(numbers, np.float32)


def read_data(path, english=False):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if english:
        return list(english_records(text.splitlines()))
    if text.lstrip().startswith("{"):
        return [graph_record(json.loads(line)) for line in text.splitlines() if line.strip()]
    return story_records(text.splitlines())


def graph_record(line):
    named = isinstance(line["nodes"], list)
    record = Record(len(line["nodes"]), line["nodes"]) if named else Record(line["nodes"])
    number = record.names.index if named else int
    record.edges = [(number(s), str(kind), number(t)) for s, kind, t in line["edges"]]
    if "edge_weights" in line:
        record.weights = single(line["edge_weights"])
    if "edge_features" in line:
        record.edge_features = single(line["edge_features"])
    if "features" in line:
        record.features = single(line["features"])
    if "sparse_features" in line:
        record.features = dense(line["sparse_features"])
    for node, kinds in enumerate(line.get("node_types", [])):
        record.types[node] = [str(k) for k in (kinds if isinstance(kinds, list) else [kinds]) if k is not None]
    for question in [line["question"]] if "question" in line else line["questions"]:
        arguments = [number(a) for a in question.get("arguments", [])]
        record.questions.append((str(question.get("type", "question")), arguments))
    return record


def dense(sparse):
    rows = np.zeros((len(sparse["rows"]), sparse["width"]), np.float32)
    for node, row in enumerate(sparse["rows"]):
        for entry in row:
            column, number = entry if isinstance(entry, list) else (entry, 1)
            rows[node, column] = number
    return rows


def story_records(lines):
    """Facts, then questions; a blank line ends a story, and so does a fact after a question."""
    records, record = [], Record(0, [])
    for line in lines:
        words = line.split()
        over = record.questions and words and words[0] != "eval"
        if record.edges and (not words or over):
            records.append(record)
            record = Record(0, [])
        if words and words[0] == "eval":
            record.questions.append(story_question(record, line))
        elif words:
            source, relation, target = words
            record.edges.append((entity(record, source), relation, entity(record, target)))
    return records + ([record] if record.edges else [])


def english_records(lines):
    """A record for each question, with the sentences that its story told before."""
    told = []
    for line in lines:
        number, _, text = line.partition(" ")
        if not text.strip():
            continue
        if int(number) == 1:
            told = []
        asked, tab, _ = text.partition("\t")
        words = english_words(asked)
        if tab or text.endswith("?"):
            record = Record(0)
            record.text, record.questions = [*told, words], [("asks", [])]
            yield record
        else:
            told.append(words)


def english_words(text):
    small = "".join(c.lower() if "A" <= c <= "Z" else c for c in text)
    words = [word.rstrip('.?!,;:"') for word in small.replace("\t", " ").split(" ")]
    return [word for word in words if word]


def entity(record, name):
    if name not in record.names:
        record.names.append(name)
        record.types.append([])
        record.nodes += 1
    return record.names.index(name)


def story_question(record, line):
    words = line.split("\t")[0].split()[1:]
    kind = next(word for word in words if word not in record.names)
    return kind, [record.names.index(word) for word in words if word in record.names]
