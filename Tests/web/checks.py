"""Runs checks of pages: all, or with MAPS="leaflet openlayers" and CHECKS="in_view fit" only these, each in a browser of its own."""

import concurrent.futures
import os
import time

from browser import Browser
from workshop import expect


class Checks:
    def __init__(self, title, maps):
        self.title, self.maps, self.all = title, tuple(maps), []

    def __call__(self, *maps, scale=0.5):
        """Marks a function as a check, which gets a page of each of these map libraries (default: all), on a screen with so many
        pixels for each of CSS: without a GPU, most of the time goes into them."""

        def add(function):
            self.all.append((function.__name__.removeprefix("check_"), function, maps or self.maps, scale))
            return function

        return add

    def run(self, server_of, page_of, expect_quiet):
        """Each check has a server of its own, `server_of(map library)`; `page_of(browser, map library, server)` is its page."""
        wanted, libraries = os.environ.get("CHECKS", "").split(), os.environ.get("MAPS", " ".join(self.maps)).split()
        jobs = [
            (library, name, function, scale)
            for library in libraries
            for name, function, maps, scale in self.all
            if library in maps and (not wanted or name in wanted)
        ]
        expect(jobs, f"no check is called {wanted}, or none is for {libraries}")

        def run_one(library, name, function, scale):
            start = time.monotonic()
            with server_of(library) as server, Browser(900, 700, scale) as browser:
                function(page_of(browser, library, server))
                expect_quiet(f"{library}, {name}", browser)
            # As `.ci/run` expects it for its list of the slowest tests.
            print(f"{time.monotonic() - start:7.1f} s {self.title}: {library}, {name} passed", flush=True)

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            # The slowest library first.
            for result in [pool.submit(run_one, *job) for job in sorted(jobs, key=lambda job: job[0] != "maplibre")]:
                try:
                    result.result()
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise
