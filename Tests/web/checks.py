"""Runs checks of pages: all, or with MAPS="leaflet openlayers" and CHECKS="in_view fit" only these, each in a browser of its own."""

import concurrent.futures
import os
import time

from browser import Browser


class Checks:
    def __init__(self, title, maps):
        self.title, self.maps, self.all = title, tuple(maps), []

    def __call__(self, *maps):
        """Marks a function as a check, which gets a page of each of these map libraries (default: all)."""
        def add(function):
            self.all.append((function.__name__.removeprefix("check_"), function, maps or self.maps))
            return function
        return add

    def run(self, page_of, expect_quiet):
        """`page_of(browser, map library)` is the page for a check."""
        wanted = os.environ.get("CHECKS", "").split()

        def run_for(library):
            for name, function, maps in self.all:
                if library not in maps or (wanted and name not in wanted):
                    continue
                start = time.monotonic()
                with Browser(900, 700) as browser:
                    function(page_of(browser, library))
                    expect_quiet(f"{library}, {name}", browser)
                # As `.ci/run` expects it for its list of the slowest tests.
                print(f"{time.monotonic() - start:7.1f} s {self.title}: {library}, {name} passed", flush=True)

        with concurrent.futures.ThreadPoolExecutor() as pool:
            for result in [pool.submit(run_for, library) for library in os.environ.get("MAPS", " ".join(self.maps)).split()]:
                result.result()
