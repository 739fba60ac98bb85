"""Tasks, and which parts need a point, against brute force; without Spark."""

import itertools
import math
import random
import unittest
from fractions import Fraction

import package  # noqa: F401
from pyramid_spark.lookup import PartLookup
from pyramid_spark.plan import GENEROUS_PIXELS, Part, Plan, Tile, tasks
from pyramid_spark.shuffle import _murmur3, partition_keys


def points(source, count):
    """Points on the map, 1 by 1: spread, in towns of different sizes, at the edges, and across the antimeridian."""
    towns = [(source.random(), source.random(), 10 ** source.uniform(-6, -1)) for _ in range(4)] + [(0.0, source.random(), 0.01)]
    found = []
    while len(found) < count:
        if source.random() < 0.2:
            x, y = source.random(), source.random()
        else:
            at_x, at_y, width = source.choice(towns)
            x, y = source.gauss(at_x, width) % 1, source.gauss(at_y, width)
        if source.random() < 0.02:
            y = source.choice([0.0, math.nextafter(1, 0)])
        found.append((x, min(max(y, 0.0), math.nextafter(1, 0))))
    return found


def is_within(place, tile, margin):
    """Whether a place is in a tile or at most `margin` from it, in exact arithmetic."""
    x, y = Fraction(place[0]), Fraction(place[1])
    side = Fraction(1, 2**tile.z)
    return tile.y * side - margin <= y < (tile.y + 1) * side + margin and any(
        tile.x * side - margin <= x + turn < (tile.x + 1) * side + margin for turn in (-1, 0, 1)
    )


def random_plan(source):
    """Random tiles that cover the world, the smallest of them as small as the halo allows, and some number of rows."""
    halo, cut = source.choice([0, 62, 248, 496, 992, 1112, 1280, 2560]), source.randint(0, 12)
    deepest = max(zoom for zoom in range(cut + 1) if zoom == 0 or 256 << (cut - zoom) >= 2 * (halo + 2 * GENEROUS_PIXELS))
    parts = []

    def split(z, x, y):
        if z == deepest or len(parts) > 40 or source.random() < 0.3:
            rows = source.randint(0, 60)
            more = source.randint(0, 40)
            parts.append({"tile": f"{z}/{x}/{y}", "rows": rows, "rows_with_halo": rows + more, "memory_bytes": 1})
        else:
            for child_y, child_x in itertools.product((0, 1), repeat=2):
                split(z + 1, 2 * x + child_x, 2 * y + child_y)

    split(0, 0, 0)
    return Plan.of({"cut_zoom": cut, "halo_units": halo << (24 - cut), "parts": parts}, source.choice([10, 100, 1000]))


def random_plans(seed, number):
    source = random.Random(seed)
    for _ in range(number):
        yield points(source, 300), random_plan(source)


class PlanTests(unittest.TestCase):
    def test_a_plan_is_what_the_program_has_printed(self):
        part = {"tile": "3/5/1", "rows": 7, "rows_with_halo": 9, "memory_bytes": 1000}
        plan = Plan.of({"cut_zoom": 6, "halo_units": 1 << 30, "parts": [part, {**part, "tile": "2/0/3"}]}, 8)
        self.assertEqual((plan.cut_zoom, plan.halo, plan.lookup_zoom), (6, 0.25, 3))
        self.assertEqual(plan.parts, (Part(Tile(3, 5, 1), 7, 9, 1000), Part(Tile(2, 0, 3), 7, 9, 1000)))
        self.assertEqual(plan.tasks, ((0,), (1,)))

    def test_every_part_is_in_one_task_and_tasks_keep_the_limit(self):
        source = random.Random(6)
        shared = 0
        for _ in range(30):
            parts, limit = random_plan(source).parts, source.choice([10, 100, 1000])
            found = tasks(parts, limit)
            self.assertEqual(sorted(itertools.chain(*found)), list(range(len(parts))))
            rows = [sum(parts[part].rows_with_halo for part in task) for task in found]
            self.assertEqual(rows, sorted(rows, reverse=True))
            for task, sent in zip(found, rows):
                self.assertTrue(len(task) == 1 or sent <= limit)
                self.assertEqual(list(task), sorted(task))
                shared += len(task) > 1
        self.assertGreater(shared, 20)


class LookupTests(unittest.TestCase):
    def test_a_point_goes_to_its_part_and_to_those_whose_halo_it_is_in(self):
        shared = 0
        for places, plan in random_plans(7, 60):
            lookup = PartLookup(plan)
            pixel = Fraction(1, 256 << plan.cut_zoom)
            halo = Fraction(plan.halo)
            for place in places:
                found = {plan.parts[number].tile for number in lookup.parts(*place)}
                needed = {part.tile for part in plan.parts if is_within(place, part.tile, halo)}
                generous = {part.tile for part in plan.parts if is_within(place, part.tile, halo + Fraction(11, 10) * pixel)}
                self.assertLessEqual(needed, found)
                self.assertLessEqual(found, generous)
                shared += len(found) > 1
        self.assertGreater(shared, 1000)

    def test_the_corner_of_a_point_is_among_those_of_its_cell(self):
        for places, plan in random_plans(8, 60):
            lookup = PartLookup(plan)
            zoom = max(plan.lookup_zoom, plan.cut_zoom - 2)
            cells = {(math.floor(x * 2**zoom), math.floor(y * 2**zoom)) for x, y in places}
            corners = lookup.corners(cells, zoom)
            side = 1 << lookup.zoom
            for x, y in places:
                column, row = math.floor((x - lookup.halo) * side) % side, math.floor(max(y - lookup.halo, 0) * side)
                self.assertIn((column, row), corners)
            self.assertLessEqual(len(corners), 4 * len(cells))


class PartitionTests(unittest.TestCase):
    def test_hashes_are_those_of_spark(self):
        # select hash(7), of Spark 4.0.1
        self.assertEqual(_murmur3(7), 1079293707)

    def test_every_partition_has_a_key(self):
        for count in (1, 2, 3, 7, 64, 1000):
            self.assertEqual([_murmur3(key) % count for key in partition_keys(count)], list(range(count)))


if __name__ == "__main__":
    unittest.main()
