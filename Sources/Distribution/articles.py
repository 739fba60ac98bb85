"""The articles, and their links.

In the sources, articles link each other as files, [Options](../Reference/Options.md#exit-codes), so that links work where the repository is read. The
site has DocC's links instead, <doc:Options#Exit-codes>, and an installation has all articles in one folder.
"""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1]
ARTICLES = SOURCES / "Documentation/Pyramid.docc"
# READMEs that are also pages of the site.
READMES = {SOURCES / "PyramidWeb/README.md": "PyramidWeb", SOURCES / "PyramidSpark/README.md": "PyramidSpark"}
# The example pages that can show the demo of the site, with the value of its column `kind` by which some filter; others need columns or a server that
# it lacks.
EXAMPLES = {"leaflet": "", "list": "", "maplibre": "", "members": "", "openlayers": "", "popups": "", "react": "airstrip", "vue": "airstrip"}
# A link or picture, and the code in which there are none.
LINK = re.compile(r"^```.*?^```|(!?)\[((?:`[^`]*`|[^\[\]`])*)\]\(([^)\s]+)\)|`+(?:[^`\n]|\n(?!\n))*`+", re.M | re.S)


def pages():
    """The files of all articles, with their names."""
    return {path: path.stem for path in sorted(ARTICLES.rglob("*.md"))} | READMES


def headings(text):
    return re.findall(r"^#+ +(.*?) *$", re.sub(r"(?ms)^```.*?^```", "", text), re.M)


def slug(heading):
    """A heading's anchor on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchor(heading):
    """A heading's anchor on the site."""
    return "-".join(re.sub(r"[^\w\s-]|_", "", word) for word in re.split(r"[\s-]+", heading.strip()))


def links(path, text):
    """The relative links of a file: what each leads to, and the part after the #."""
    for found in LINK.finditer(text):
        if found[3] and ":" not in found[3]:
            target, _, fragment = found[3].partition("#")
            yield (path.parent / target).resolve() if target else path, fragment


def with_links(path, replaced):
    """The text of a file, with each relative link replaced by `replaced(is_picture, label, target, heading)`."""

    def replace(found):
        is_picture, label, link = found.groups()
        if link is None or ":" in link:
            return found[0]
        target, _, fragment = link.partition("#")
        target = (path.parent / target).resolve() if target else path
        heading = next((title for title in headings(target.read_text()) if slug(title) == fragment), None) if fragment else None
        if fragment and heading is None:
            raise SystemExit(f"{path}: {target} has no heading for #{fragment}")
        return replaced(bool(is_picture), label, target, heading)

    return LINK.sub(replace, path.read_text())


def for_docc(path, base="", has_kinds=True):
    """An article or README as DocC expects it. Example pages are on the site, below `base`, unless they filter by a column that the demo hasn't; of
    other files, the site has none."""
    known = pages()
    # Articles of another catalog are named with it.
    catalog = "" if path in known else "/Pyramid/"

    def replaced(is_picture, label, target, heading):
        if is_picture:
            return f"![{label}]({re.sub('@2x$', '', target.stem)})"
        kind = EXAMPLES.get(target.stem) if target.parent == SOURCES / "PyramidWeb/examples" else None
        if kind == "" or kind and has_kinds:
            return f"[{label}]({base}/pyramid-web/examples/{target.name}?tiles=../../demo/{kind and f'&kind={kind}'})"
        # The page of a Swift library.
        if target.parent.name == f"{target.stem}.docc" and target not in known:
            return f"``/{target.stem}``"
        if target not in known:
            return label
        link = f"doc:{'' if target == path else catalog + known[target]}" + (f"#{anchor(heading)}" if heading else "")
        title = heading or headings(target.read_text())[0]
        return f"<{link}>" if label == title else f"[{label}]({link})"

    return with_links(path, replaced)


def for_folder():
    """All articles by the names of their files, as they are installed beside each other."""
    known = pages()

    def replaced(is_picture, label, target, heading):
        if is_picture or target not in known:
            return label
        return f"[{label}]({known[target]}.md{f'#{slug(heading)}' if heading else ''})"

    return {f"{name}.md": with_links(path, replaced) for path, name in known.items()}
