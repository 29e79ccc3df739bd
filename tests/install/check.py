"""What `cmake --install` puts where, and that it runs from there.

    check.py BUILD
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

WANTED = [
    "bin/ggsnn",
    "share/man/man1/ggsnn.1",
    "share/man/man1/ggsnn-train.1",
    "share/bash-completion/completions/ggsnn",
    "share/zsh/vendor-completions/_ggsnn",
    "share/fish/vendor_completions.d/ggsnn.fish",
    "share/ggsnn/programs/concat.c",
    "include/ggsnn/c/ggsnn.h",
    "lib/python3/dist-packages/ggsnn/__init__.py",
    "lib/python3/dist-packages/ggsnn/_estimators.pyi",
    "lib/python3/dist-packages/ggsnn/py.typed",
]


def run(*words, **environment):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed: {done.stderr or done.stdout}")
    return done.stdout


def main(build):
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        wanted = WANTED + (["bin/check_proof"] if (Path(build) / "check_proof").exists() else [])
        missing = [name for name in wanted if not (prefix / name).exists()]
        modules = sorted((prefix / "lib/python3/dist-packages/ggsnn").glob("*.so"))
        if missing or len(modules) != 2:
            sys.exit(f"not installed: {', '.join(missing)}; modules: {modules}")
        for path in [prefix / "bin/ggsnn", *modules]:
            # By a folder of the build dpkg-shlibdeps finds libraries in packages for developers, and names no package.
            if "RUNPATH" in run("readelf", "-d", path) or "RPATH" in run("readelf", "-d", path):
                sys.exit(f"{path.name} has a folder of the build to look for libraries")
        version = run(prefix / "bin/ggsnn", "--version").split()[1]
        python = "import ggsnn; print(ggsnn.__version__, ggsnn.__file__, bool(ggsnn.prove('emp |- emp')))"
        said = run(sys.executable, "-c", python, PYTHONPATH=str(prefix / "lib/python3/dist-packages")).split()
        if said[0] != version or not said[1].startswith(str(prefix)) or said[2] != "True":
            sys.exit(f"the installed module says {said}; the program is of version {version}")


if __name__ == "__main__":
    main(*sys.argv[1:])
