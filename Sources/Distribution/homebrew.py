"""The formula of Homebrew for the archives of a release."""

import hashlib
import re

FORMULA = """class Pyramid < Formula
  desc "Clusters points for every zoom of a web map, and writes static tiles"
  homepage "{homepage}"
  version "{version}"

{sources}
  def install
    bin.install "bin/pyramid"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/pyramid"
    zsh_completion.install "share/zsh/site-functions/_pyramid"
    fish_completion.install "share/fish/vendor_completions.d/pyramid.fish"
    doc.install Dir["share/doc/pyramid-clusters/*"]
  end

  test do
    (testpath/"points.csv").write "name,latitude,longitude\\nA,48.1,11.5\\nB,48.2,11.6\\n"
    system bin/"pyramid", "build", "points.csv", "tiles", "--quiet"
    system bin/"pyramid", "verify", "tiles", "points.csv"
  end
end
"""
SYSTEMS = {"macos": "on_macos", "linux": "on_linux"}
ARCHITECTURES = {"arm64": "on_arm", "aarch64": "on_arm", "x86_64": "on_intel"}


def formula(directory, url):
    """The formula for all archives in a directory, which will be at a URL. Each machine packs its own: collect them first."""
    blocks, version = {}, None
    for path in sorted(directory.glob("pyramid-[0-9]*.tar.gz")):
        version, system, architecture = re.fullmatch(r"pyramid-(.+)-(\w+)-(\w+)\.tar\.gz", path.name).groups()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        blocks.setdefault(SYSTEMS[system], []).append(
            f'    {ARCHITECTURES[architecture]} do\n      url "{url}/{path.name}"\n      sha256 "{digest}"\n    end\n'
        )
    if not blocks:
        raise SystemExit(f"error: {directory} has no archive of a release")
    sources = "\n".join(f"  {system} do\n{''.join(sources)}  end\n" for system, sources in blocks.items())
    return FORMULA.format(homepage=url.split("/releases/")[0], version=version, sources=sources)
