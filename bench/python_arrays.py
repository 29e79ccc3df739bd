"""What Python costs beside C++: answers for 10,000 small graphs, from the same arrays, one thread, in turn.

python3 bench/python_arrays.py BUILD, after `./ggsnn bench` or any build with GGSNN_BENCH and GGSNN_PYTHON.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

build = Path(sys.argv[1] if len(sys.argv) > 1 else "build/release").resolve()
sys.path.insert(0, str(build / "python"))
import ggsnn  # noqa: E402

GRAPHS, NODES, EDGES, FEATURES, ROUNDS = 10000, 12, 24, 4, 15
rng = np.random.default_rng(1)
first = np.arange(GRAPHS)[:, None] * NODES
index = np.stack([(rng.integers(0, NODES, (GRAPHS, EDGES)) + first).ravel() for _ in range(2)])
kinds, rows = rng.integers(0, 3, GRAPHS * EDGES), rng.random((GRAPHS * NODES, FEATURES), dtype=np.float32)
batch = np.repeat(np.arange(GRAPHS), NODES)


def arrays():
    return ggsnn.graphs(index, batch=batch, edge_type=kinds, features=rows)


some = arrays()[:200]
model = ggsnn.GraphClassifier(updates=20, restarts=1, state=20, steps=5, threads=1)
model.fit(some, ["a", "b"] * 100)
with tempfile.TemporaryDirectory() as folder:
    model.save(f"{folder}/model")
    with open(f"{folder}/arrays", "wb") as file:
        for array in (index[0], index[1], kinds):
            file.write(array.astype(np.int32).tobytes())
        file.write(rows.tobytes())
    command = [build / "bench/predict_arrays", f"{folder}/model", f"{folder}/arrays", *map(str, (GRAPHS, NODES, EDGES, FEATURES))]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        seconds, last = map(float, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
        theirs.append(seconds)
        begin = time.perf_counter()
        answers = model.predict_proba(arrays())
        ours.append(time.perf_counter() - begin)
        place = list(model.classes_).index(model.model_.classes[0])
        assert abs(answers[-1, place] - last) < 1e-7
print(f"C++ {min(theirs) * 1e3:.1f} ms, Python {min(ours) * 1e3:.1f} ms, ratio {min(ours) / min(theirs):.3f} (least of {ROUNDS})")
