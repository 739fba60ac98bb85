"""The man pages of a release, made of what the program says."""

import itertools
import json
import re
import subprocess


def output(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def man_pages(program):
    """The pages of the program and of its commands, by the names of their files."""
    version = output(program, "--version").strip()
    root = json.loads(output(program, "--experimental-dump-help"))["command"]
    commands = [c for c in root["subcommands"] if c["shouldDisplay"] and c["commandName"] != "help"]
    pages = {"pyramid.1": page(program, version, root, [], commands)}
    for command in commands:
        pages[f"pyramid-{command['commandName']}.1"] = page(program, version, command, [command["commandName"]], [])
    return pages


def page(program, version, command, path, commands):
    name = "-".join(["pyramid", *path])
    text = output(program, *path, "--help")
    usage, exit_codes = re.search(r"USAGE: (.*)", text)[1], re.search(r"^Exit codes:\n(.*)", text, re.M | re.S)
    lines = [
        f'.TH {name.upper()} 1 "" "pyramid {version}" "pyramid"',
        ".SH NAME",
        rf"{escaped(name)} \- {escaped(command['abstract'].rstrip('.'))}",
        ".SH SYNOPSIS",
        escaped(usage),
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *discussion(command["discussion"])]
    if commands:
        lines.append(".SH COMMANDS")
        for other in commands:
            lines += [".TP", rf".BR pyramid\-{other['commandName']} (1)", escaped(other["abstract"])]
    shown = [a for a in command["arguments"] if a["shouldDisplay"]]
    for section, arguments in itertools.groupby(shown, section_of):
        lines += [f".SH {section.upper()}", *options(list(arguments))]
    if exit_codes:
        lines += [".SH EXIT STATUS", *discussion(exit_codes[1].rstrip())]
    names = ["pyramid"] if path else [f"pyramid\\-{c['commandName']}" for c in commands]
    lines += [".SH SEE ALSO", ", ".join(rf"\fB{n}\fR(1)" for n in names)]
    return "\n".join(lines) + "\n"


def section_of(argument):
    return "Arguments" if argument["kind"] == "positional" else argument.get("sectionTitle") or "Options"


def options(arguments):
    lines = []
    for index, argument in enumerate(arguments):
        spellings = [spelling(n) for n in argument.get("names", [])]
        if index and spellings == [f"--no-{arguments[index - 1]['valueName']}"]:
            continue  # shown with the flag that it turns off
        turned_off = f"no-{argument['valueName']}"
        if argument["kind"] == "flag" and any(other["valueName"] == turned_off for other in arguments):
            spellings.append(f"--{turned_off}")
        term = ", ".join(rf"\fB{escaped(s)}\fR" for s in spellings)
        if argument["kind"] != "flag":
            term += (" " if term else "") + rf"\fI{escaped(argument['valueName'])}\fR"
        text = argument.get("abstract", "")
        if "defaultValue" in argument:
            text += f" (default: {argument['defaultValue']})"
        lines += [".TP", term, escaped(text)]
    return lines


def spelling(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def discussion(text):
    """Paragraphs; one whose lines were broken by hand, such as a table, keeps them."""
    lines = []
    for paragraph in text.split("\n\n"):
        by_hand = re.search(r"^ {2,}", paragraph, re.M) or re.search(r"\S {2,}\S", paragraph)
        texts = [escaped(line) for line in paragraph.split("\n")]
        lines += [".PP", *([".nf", *texts, ".fi"] if by_hand else texts)]
    return lines[1:]


def escaped(text):
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("\u2026", "...")
    return r"\&" + text if text[:1] in (".", "'") else text
