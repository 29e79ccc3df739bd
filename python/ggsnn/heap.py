"""Formulas of heaps, by the networks that come with the program."""

import html
import json

from ._core import Error
from ._programs import Heap

__all__ = ["Prediction", "predict"]


class Prediction:
    """The formula of one or several heaps."""

    def __init__(self, heaps, result):
        self.heaps = heaps
        self.formula = result["formula"]
        self.holds = result["holds"]  # in every heap; checked
        self.score = result["score"]
        self.alone = result["network_alone"]["formula"]  # by the networks without search
        self.trace = result.get("trace", [])

    def __str__(self):
        return self.formula

    def __repr__(self):
        return f"<Prediction {self.formula}{'' if self.holds else ' (does not hold)'}>"

    def _repr_html_(self):
        return f"<p><code>{html.escape(self.formula)}</code></p>" + "".join(heap._repr_svg_() for heap in self.heaps)


def predict(heaps, *, trace=False, beam=0):
    """The formula that describes a heap, or several together: dicts as in the file format, texts of JSON, or Heaps."""
    from . import _logic

    if isinstance(heaps, (dict, str, Heap)):
        heaps = [heaps]
    if not heaps:
        raise Error("there is no heap; expected at least one")
    heaps = [heap if isinstance(heap, Heap) else Heap(heap) for heap in heaps]
    texts = [json.dumps(heap.json) for heap in heaps]
    return Prediction(heaps, json.loads(_logic.predict_heaps(texts, trace, beam)))
