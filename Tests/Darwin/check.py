#!/usr/bin/env python3
"""Typechecks the package for macOS and iOS on Linux, and for Linux with the whole of Foundation.

    check.py [DIRECTORY]         where compiled modules are kept; .build/darwin by default

The interface files of Swift's own libraries state the versions of macOS and iOS that have each declaration. They are
compiled for the versions in Package.swift, and the package is typechecked against them and against the stubs beside
this file, which declare what it uses of Darwin, Foundation and so on. That finds what those versions lack, and what
doesn't fit Darwin's types. Nothing is linked or run, and the stubs were written from documentation.

On Apple's systems PyramidPlatform has no FoundationEssentials to import. What is ambiguous with all of Foundation is
found here with the real one of Linux.

Modules that haven't changed aren't compiled again.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUBS = pathlib.Path(__file__).resolve().parent
CHECKOUTS = ROOT / ".build/checkouts"
sys.path.append(str(STUBS.parent))

from workshop import code_blocks  # noqa: E402

# What apps use. It is checked for iOS, with its dependencies, with every sample of two articles, and with the example app.
FOR_APPS = "PyramidMapKit"
GUIDES = ROOT / "Sources/Documentation/Pyramid.docc/Guides"
SAMPLES = [GUIDES / "SwiftApps.md", GUIDES / "IOSWithMapKit.md"]
EXAMPLE = ROOT / "Sources/PyramidMapKit/Example"

# Modules with the modules that they import.
SWIFT = {
    "Swift": [],
    "SwiftOnoneSupport": ["Swift"],
    "_Concurrency": ["Swift"],
    "_RegexParser": ["Swift"],
    "_StringProcessing": ["_Concurrency", "_RegexParser"],
    "Synchronization": ["_Concurrency"],
    "Testing": ["_StringProcessing"],
}
SYSTEM = {"Darwin": [*SWIFT], "os": ["Darwin"], "Dispatch": ["Darwin"], "Foundation": ["Dispatch"], "OSLog": ["os", "Foundation"]}
MAPS = {
    "UIKit": ["Foundation"],
    "SwiftUI": ["UIKit"],
    "CoreLocation": ["Foundation"],
    "MapKit": ["CoreLocation", "UIKit"],
    "GoogleMaps": ["CoreLocation", "UIKit"],
}
PACKAGES = {
    "ArgumentParserToolInfo": ("swift-argument-parser/Sources/ArgumentParserToolInfo", []),
    "ArgumentParser": ("swift-argument-parser/Sources/ArgumentParser", ["ArgumentParserToolInfo"]),
    "FlyingSocks": ("FlyingFox/FlyingSocks/Sources", []),
}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def update(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return path


class Module:
    def __init__(self, name, files, imports, flags):
        self.name, self.files, self.imports, self.flags = name, sorted(files), imports, flags


class Platform:
    """Modules to compile with the same flags, each after those that it imports."""

    def __init__(self, name, directory, flags):
        self.name, self.directory = name, directory / name
        self.directory.mkdir(parents=True, exist_ok=True)
        self.flags = [*flags, "-I", self.directory, "-module-cache-path", self.directory / "cache"]
        self.modules, self.keys = {}, {}

    def add(self, name, files, imports, *flags):
        # What isn't compiled here is the compiler's own.
        self.modules[name] = Module(name, files, [module for module in imports if module in self.modules], flags)

    def start(self, executor):
        """Starts to compile all. Returns the results to come: whether there are no errors."""
        results = {}

        def check(module):
            if not all(results[imported].result() for imported in module.imports):
                return False
            errors = self.compile(module)
            if errors:
                print(f"{self.name}: {module.name}", *errors, sep="\n", file=sys.stderr)
            return not errors

        # Modules that import one with errors can't be checked. A module comes after those that it imports, so no thread waits for one that hasn't begun.
        for module in self.modules.values():
            results[module.name] = executor.submit(check, module)
        return results.values()

    def compile(self, module):
        """Compiles a module, unless it was compiled before. Returns the errors."""
        key = hashlib.sha256(repr([self.flags, module.flags, [self.keys[name] for name in module.imports]]).encode())
        for path in module.files:
            key.update(f"{path}\n".encode() + path.read_bytes())
        self.keys[module.name] = key.hexdigest()
        compiled = self.directory / f"{module.name}.key"
        if compiled.exists() and compiled.read_text() == key.hexdigest():
            return []
        compiled.unlink(missing_ok=True)
        sources = [path for path in module.files if path.suffix != ".h"]
        command = [
            "swiftc",
            "-frontend",
            *self.flags,
            *module.flags,
            "-module-name",
            module.name,
            "-o",
            self.directory / f"{module.name}.swiftmodule",
            *sources,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            compiled.write_text(key.hexdigest())
            return []
        lines = done.stderr.splitlines()
        return sorted({line for line in lines if re.match(r"/.*: error: ", line)}) or lines


class Package:
    """The targets of Package.swift."""

    def __init__(self):
        description = json.loads(output("swift", "package", "dump-package"))
        self.versions = {entry["platformName"]: entry["version"] for entry in description["platforms"]}
        self.targets = {target["name"]: target for target in description["targets"] if target["type"] not in ("system", "plugin")}

    def imports(self, name):
        words = [next(iter(dependency.values()))[0] for dependency in self.targets[name]["dependencies"]]
        return [*words, *(further for word in words if word in self.targets for further in self.imports(word))]

    def add(self, names, platform, base):
        for name in names:
            target = self.targets[name]
            folder = ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")
            left_out = [folder / path for path in target["exclude"]]
            files = [path for path in folder.rglob("*.swift") if not any(path.is_relative_to(out) for out in left_out)]
            if target.get("pluginUsages"):
                # What the plugin EmbedFiles writes.
                embedded = "enum EmbeddedFiles { static let texts: [String: String] = [:] }\n"
                files.append(update(platform.directory / f"{name}.embedded.swift", embedded))
            # Nothing imports tests.
            action = "-typecheck" if target["type"] == "test" else "-emit-module"
            platform.add(
                name,
                files,
                [*base, *self.imports(name)],
                action,
                "-parse-as-library",
                "-enable-testing",
                "-swift-version",
                "6",
                "-package-name",
                "pyramid",
                "-warnings-as-errors",
                "-I",
                ROOT / "Sources/CZlib",
            )


def add_interfaces(platform, triple, resources, arch):
    """Swift's libraries, from their interfaces for Linux."""
    for name, imports in SWIFT.items():
        interface = resources / f"linux/{name}.swiftmodule/{arch}-unknown-linux-gnu.swiftinterface"
        lines = interface.read_text().splitlines(keepends=True)
        flags = [
            re.sub(r"-target \S+", f"-target {triple}", line)
            .replace(" -static ", " ")
            .replace("-library-level api", "")
            # Bodies need no check here, and take nearly all of the time.
            .replace(" -O ", " -Onone -experimental-skip-all-function-bodies ")
            for line in lines[:6]
        ]
        text = "".join(line for line in flags + lines[6:] if not line.startswith("import Glibc"))
        # Older versions would need code from here, and only Linux has the function.
        text = re.sub(r"@backDeployed\([^)]*\)", "", text).replace("_swift_stdlib_gettid()", "UInt32(0)")
        platform.add(
            name,
            [update(platform.directory / f"{name}.swiftinterface", text)],
            imports,
            "-compile-module-from-interface",
            "-disable-availability-checking",
            *(["-parse-stdlib"] if name == "Swift" else []),
        )


def add_stubs(platform, modules):
    for name, imports in modules.items():
        headers = STUBS.glob("include/*.h") if name == "Darwin" else []
        platform.add(name, [STUBS / f"{name}.swift", *headers], imports, "-emit-module", "-parse-as-library", "-swift-version", "6")


def add_packages(platform, base):
    for name, (path, imports) in PACKAGES.items():
        language = "6" if name == "FlyingSocks" else "5"
        platform.add(
            name,
            (CHECKOUTS / path).rglob("*.swift"),
            [*base, *imports],
            "-emit-module",
            "-parse-as-library",
            "-swift-version",
            language,
            "-package-name",
            name,
            "-suppress-warnings",
        )


def add_samples(platform, imports):
    """Every Swift sample of the articles alone, and the example app, with and without the main actor as default."""
    modules = {
        f"{article.stem}{number}": [update(platform.directory / f"{article.stem}{number}.swift", text)]
        for article in SAMPLES
        for number, (_, text) in enumerate(code_blocks(article, "swift"), 1)
    }
    modules["Example"] = [path for path in EXAMPLE.rglob("*.swift") if path.name != "Package.swift"]
    for name, files in modules.items():
        for suffix, flags in [("", []), ("OnMainActor", ["-default-isolation", "MainActor"])]:
            platform.add(
                f"{name}{suffix}",
                files,
                imports,
                "-emit-module",
                "-parse-as-library",
                "-swift-version",
                "6",
                "-warnings-as-errors",
                "-I",
                ROOT / "Sources/CZlib",
                *flags,
            )


def main():
    work = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/darwin").resolve()
    information = json.loads(output("swift", "-print-target-info"))
    resources, arch = pathlib.Path(information["paths"]["runtimeResourcePath"]), information["target"]["arch"]
    if not all((CHECKOUTS / path).is_dir() for path, _ in PACKAGES.values()):
        output("swift", "package", "resolve")
    package = Package()

    def apple(name, triple):
        platform = Platform(
            name,
            work,
            [
                "-target",
                triple,
                "-sdk",
                STUBS,
                "-resource-dir",
                resources,
                "-disable-objc-interop",
                "-I",
                STUBS / "include",
                "-Xcc",
                f"-I{STUBS}/include",
                "-plugin-path",
                resources / "host/plugins",
            ],
        )
        add_interfaces(platform, triple, resources, arch)
        add_stubs(platform, SYSTEM)
        return platform

    machine = "arm64" if arch == "aarch64" else arch
    mac = apple("macOS", f"{machine}-apple-macosx{package.versions['macos']}")
    add_packages(mac, SYSTEM)
    package.add(package.targets, mac, SYSTEM)

    phone = apple("iOS", f"{machine}-apple-ios{package.versions['ios']}-simulator")
    add_stubs(phone, MAPS)
    for_apps = [name for name in package.targets if name == FOR_APPS or name in package.imports(FOR_APPS)]
    package.add(for_apps, phone, [*SYSTEM, *MAPS])
    add_samples(phone, [*MAPS, *for_apps])

    linux = Platform(
        "Foundation", work, ["-D", "WHOLE_FOUNDATION", "-I", CHECKOUTS / "FlyingFox/CSystemLinux/include", "-plugin-path", resources / "host/plugins"]
    )
    add_packages(linux, [])
    programs = [name for name, target in package.targets.items() if target["type"] != "test"]
    package.add(programs, linux, [])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        results = [result for platform in (mac, phone, linux) for result in platform.start(executor)]
        wrong = sum(not result.result() for result in results)
    if wrong:
        sys.exit(f"{wrong} of {len(results)} modules have errors, or import one that has")
    print(
        f"{len(results)} modules have no errors for macOS {package.versions['macos']}, iOS {package.versions['ios']}, "
        "and Linux with the whole of Foundation"
    )


if __name__ == "__main__":
    main()
