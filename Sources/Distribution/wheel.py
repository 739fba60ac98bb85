"""The program as a wheel for PyPI: pip puts it beside Python's own programs."""

import base64
import hashlib
import re
import time
import zipfile

METADATA = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: Clusters points for every zoom of a web map, and writes static tiles.
Keywords: map,cluster,tiles,geojson,mvt,pmtiles
Classifier: Environment :: Console
Classifier: Topic :: Scientific/Engineering :: GIS
Requires-Python: >=3.7
Description-Content-Type: text/markdown

`pyramid` reads CSV or GeoJSON and writes static tiles with the clusters of each zoom: GeoJSON, vector tiles, or one PMTiles archive. It
verifies, serves and publishes them.

    pyramid build points.csv tiles --bundle 256
    pyramid serve tiles --open

The program is in the wheel; it needs zlib and libstdc++ of the system, and no Python at run time.
"""


def platform(program, built_for):
    """The wheel's tag for the systems that the program runs on, such as manylinux_2_35_x86_64: a program names the versions of glibc that it needs."""
    system, architecture = built_for.split("-")
    if system == "macos":
        return f"macosx_26_0_{architecture}"
    minor = max(int(version) for version in re.findall(rb"GLIBC_2\.(\d+)\b", program.read_bytes()))
    return f"manylinux_2_{minor}_{architecture}"


def write_wheel(tree, name, version, tag, directory, date):
    """Writes the files of a release, below `tree`, as a wheel."""
    name = name.replace("-", "_")
    data, information = f"{name}-{version}.data", f"{name}-{version}.dist-info"
    files = {}
    for path in sorted(path for path in tree.rglob("*") if path.is_file()):
        relative = path.relative_to(tree)
        folder = f"{data}/scripts/{relative.name}" if relative.parts[0] == "bin" else f"{data}/data/{relative}"
        files[folder] = path.read_bytes()
    files[f"{information}/METADATA"] = METADATA.format(name=name.replace("_", "-"), version=version).encode()
    files[f"{information}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pyramid\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode()
    record = f"{information}/RECORD"
    lines = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip('=')},{len(content)}\n"
        for path, content in files.items()
    ]
    files[record] = f"{''.join(lines)}{record},,\n".encode()
    with zipfile.ZipFile(directory / f"{name}-{version}-py3-none-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, time.gmtime(date)[:6])
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
