"""Builds wheels (PEP 517) with CMake and Python's own library: no other package is needed, so that an isolated build
works without a network."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "ggsnn"


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(ggsnn VERSION ([0-9.]+)", text).group(1)


def metadata():
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {NAME}\nVersion: {version()}\n"
        "Summary: Gated graph neural networks, and proofs about programs with lists and trees\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n"
    )


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_package():
    """Compiles the modules; the folder that holds the package."""
    folder = Path(os.environ.get("GGSNN_PYTHON_BUILD", ROOT / "build" / "wheel"))
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    options = ["-DGGSNN_CLI=OFF", "-DGGSNN_INSTALL=OFF", "-DGGSNN_MPI=OFF", "-DGGSNN_PYTHON=ON"]
    subprocess.run([*configure, *options, f"-DPython_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "ggsnn_python"], check=True)
    return folder / "python" / NAME


class Wheel:
    """A wheel file: a zip with a record of what is in it."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.rows = []

    def add(self, name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.rows.append(f"{name},sha256={digest},{len(data)}")
        entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
        entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)

    def close(self, record):
        self.zip.writestr(record, "\n".join([*self.rows, f"{record},,"]) + "\n")
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = build_package()
    name = f"{NAME}-{version()}-{tag()}.whl"
    info = f"{NAME}-{version()}.dist-info"
    wheel = Wheel(Path(wheel_directory) / name)
    for path in sorted(package.iterdir()):
        if path.is_file():
            wheel.add(f"{NAME}/{path.name}", path.read_bytes())
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
    wheel.close(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{NAME}-{version()}"
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for part in ["CMakeLists.txt", "CMakePresets.json", "pyproject.toml", "README.md", "cmake", "include", "models", "python", "src"]:
            archive.add(ROOT / part, f"{name}/{part}")
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        data = metadata().encode()
        info.size = len(data)
        import io

        archive.addfile(info, io.BytesIO(data))
    return f"{name}.tar.gz"
