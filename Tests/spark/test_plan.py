"""The plan against brute force, on random points; without Spark."""

import itertools
import math
import random
import unittest
from fractions import Fraction

import package  # noqa: F401
from pyramid_spark.errors import OptionError
from pyramid_spark.halo import halo_pixels
from pyramid_spark.lookup import PartLookup
from pyramid_spark.plan import GENEROUS_PIXELS, Tile, choose_cut, counting_zoom, deepest_part_zoom, plan_parts
from pyramid_spark.shuffle import _murmur3, partition_keys
from pyramid_spark.survey import Clustering


def points(source, count):
    """Points on the map, 1 by 1: spread, in towns of different sizes, at the edges, and across the antimeridian."""
    towns = [(source.random(), source.random(), 10 ** source.uniform(-6, -1)) for _ in range(4)] + [
        (0.0, source.random(), 0.01)
    ]
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


def counts(places, zoom):
    found = {}
    for x, y in places:
        cell = (math.floor(x * 2**zoom), math.floor(y * 2**zoom))
        found[cell] = found.get(cell, 0) + 1
    return found


def is_within(place, tile, margin):
    """Whether a place is in a tile or at most `margin` from it, in exact arithmetic."""
    x, y = Fraction(place[0]), Fraction(place[1])
    side = Fraction(1, 2**tile.z)
    return tile.y * side - margin <= y < (tile.y + 1) * side + margin and any(
        tile.x * side - margin <= x + turn < (tile.x + 1) * side + margin for turn in (-1, 0, 1)
    )


def random_plans(seed, number, count=300):
    source = random.Random(seed)
    for _ in range(number):
        places = points(source, count)
        halo = source.choice([0, 62, 248, 496, 992, 1112, 1280, 2560])
        cut = source.randint(0, 12)
        limit = source.choice([10, 30, 100, 1000])
        zoom = counting_zoom(cut, halo)
        cells = counts(places, zoom)
        yield places, cells, zoom, limit, plan_parts(cells, zoom=zoom, cut_zoom=cut, halo=halo, rows_per_part=limit)


class PlanTests(unittest.TestCase):
    def test_parts_cover_the_world_without_overlap(self):
        deep = 0
        for _, _, _, _, plan in random_plans(1, 60):
            tiles = {part.tile for part in plan.parts}
            self.assertEqual(sum(Fraction(1, 4**tile.z) for tile in tiles), 1)
            for tile in tiles:
                self.assertFalse(any(tile.ancestor(zoom) in tiles for zoom in range(tile.z)))
            deep += len({tile.z for tile in tiles}) > 1
        self.assertGreater(deep, 20)

    def test_parts_are_in_z_order(self):
        def code(tile):
            return [(tile.y >> bit & 1, tile.x >> bit & 1) for bit in reversed(range(tile.z))]

        for _, _, _, _, plan in random_plans(2, 30):
            codes = [code(part.tile) for part in plan.parts]
            self.assertEqual(codes, sorted(codes))

    def test_rows_are_those_of_the_cells_in_a_part_and_in_its_halo(self):
        for places, cells, zoom, _, plan in random_plans(3, 60):
            self.assertEqual(sum(part.rows for part in plan.parts), len(places))
            reach = plan.halo_pixels + GENEROUS_PIXELS if plan.halo_pixels else 0
            margin = Fraction(math.ceil(reach / (256 << (plan.cut_zoom - zoom))), 2**zoom)
            for part in plan.parts:
                self.assertEqual(part.rows, sum(is_within(place, part.tile, 0) for place in places))
                sent = sum(n for (x, y), n in cells.items() if is_within((x / 2**zoom, y / 2**zoom), part.tile, margin))
                self.assertEqual(part.rows_with_halo, sent, part)

    def test_the_limit_is_kept_where_it_can_be(self):
        kept = broken = 0
        for _, cells, zoom, limit, plan in random_plans(4, 60):
            deepest = deepest_part_zoom(plan.cut_zoom, plan.halo_pixels)
            reach = plan.halo_pixels + GENEROUS_PIXELS if plan.halo_pixels else 0
            margin = Fraction(math.ceil(reach / (256 << (plan.cut_zoom - zoom))), 2**zoom)
            for part in plan.parts:
                self.assertLessEqual(part.tile.z, deepest)
                if part.rows_with_halo <= limit:
                    kept += 1
                    continue
                broken += 1
                # The most that a smallest possible part in it would read.
                within = {(x >> zoom - deepest, y >> zoom - deepest) for x, y in cells}
                tiles = {
                    Tile(deepest, (x + east) % 2**deepest, y + south)
                    for x, y in within
                    for east, south in itertools.product((-1, 0, 1), repeat=2)
                    if 0 <= y + south < 2**deepest
                }
                least = max(
                    sum(n for (x, y), n in cells.items() if is_within((x / 2**zoom, y / 2**zoom), tile, margin))
                    for tile in tiles
                    if tile.ancestor(part.tile.z) == part.tile
                )
                self.assertGreater(least, limit)
                self.assertLessEqual(part.rows_with_halo, 1.25 * least)
        self.assertGreater(min(kept, broken), 20)

    def test_the_order_of_the_counts_does_not_matter(self):
        for _, cells, zoom, limit, plan in random_plans(5, 10):
            shuffled = list(cells.items())
            random.Random(1).shuffle(shuffled)
            again = plan_parts(dict(shuffled), zoom=zoom, cut_zoom=plan.cut_zoom, halo=plan.halo_pixels, rows_per_part=limit)
            self.assertEqual(plan, again)

    def test_every_part_is_in_one_task_and_tasks_keep_the_limit(self):
        for _, _, _, limit, plan in random_plans(6, 30):
            self.assertEqual(sorted(itertools.chain(*plan.tasks)), list(range(len(plan.parts))))
            rows = [sum(plan.parts[part].rows_with_halo for part in task) for task in plan.tasks]
            self.assertEqual(rows, sorted(rows, reverse=True))
            for task, sent in zip(plan.tasks, rows):
                self.assertTrue(len(task) == 1 or sent <= limit)
                self.assertEqual(list(task), sorted(task))

    def test_without_points_the_world_is_one_part(self):
        plan = plan_parts({}, zoom=5, cut_zoom=7, halo=992, rows_per_part=10)
        self.assertEqual([(part.tile, part.rows_with_halo) for part in plan.parts], [(Tile(0, 0, 0), 0)])
        self.assertEqual(plan.tasks, ((0,),))

    def test_parts_are_twice_as_wide_as_their_halo(self):
        self.assertEqual(deepest_part_zoom(10, 992), 7)
        self.assertEqual(deepest_part_zoom(10, 1112), 6)
        self.assertEqual(deepest_part_zoom(2, 992), 0)
        self.assertEqual(deepest_part_zoom(10, 0), 10)
        for halo, cut in itertools.product(range(0, 3000, 7), range(6, 12)):
            width = 256 << (cut - deepest_part_zoom(cut, halo))
            self.assertGreaterEqual(width, 2 * (halo + GENEROUS_PIXELS))


class LookupTests(unittest.TestCase):
    def test_a_point_goes_to_its_part_and_to_those_whose_halo_it_is_in(self):
        shared = 0
        for places, _, _, _, plan in random_plans(7, 60):
            lookup = PartLookup(plan)
            pixel = Fraction(1, 256 << plan.cut_zoom)
            for place in places:
                found = {plan.parts[number].tile for number in lookup.parts(*place)}
                needed = {part.tile for part in plan.parts if is_within(place, part.tile, plan.halo_pixels * pixel)}
                generous = {
                    part.tile
                    for part in plan.parts
                    if is_within(place, part.tile, (plan.halo_pixels + Fraction(11, 10)) * pixel)
                }
                self.assertLessEqual(needed, found)
                self.assertLessEqual(found, generous)
                shared += len(found) > 1
        self.assertGreater(shared, 1000)

    def test_the_corner_of_a_point_is_among_those_of_its_cell(self):
        for places, cells, zoom, _, plan in random_plans(8, 60):
            lookup = PartLookup(plan)
            corners = lookup.corners(cells, zoom)
            side = 1 << lookup.zoom
            for x, y in places:
                column, row = math.floor((x - lookup.halo) * side) % side, math.floor(max(y - lookup.halo, 0) * side)
                self.assertIn((column, row), corners)
            self.assertLessEqual(len(corners), 4 * len(cells))


class CutTests(unittest.TestCase):
    def test_the_last_zoom_that_the_join_can_take_is_the_cut(self):
        markers = {zoom: 4**zoom for zoom in range(13)}
        self.assertEqual(choose_cut(markers, 4**8), 8)
        self.assertEqual(choose_cut(markers, 4**8 - 1), 7)
        self.assertEqual(choose_cut(markers, 4**14), 12)
        self.assertEqual(choose_cut({5: 7, 6: 9, 7: 9}, 6), 5)

    def test_the_world_is_cut_where_parts_have_clusters_to_write(self):
        def zooms(max_zoom, **options):
            return Clustering.of(options, "out", max_zoom).cut_zooms

        self.assertEqual(zooms(12), range(0, 11))
        self.assertEqual(zooms(12, cluster_maxzoom=7, min_zoom=3), range(3, 7))
        self.assertEqual(zooms(23), range(0, 15))
        self.assertEqual(zooms(23, min_zoom=16), range(16, 17))
        for max_zoom, options in [(1, {}), (12, {"min_zoom": 11}), (12, {"cluster_maxzoom": 0})]:
            with self.assertRaisesRegex(OptionError, "expected at least two zooms"):
                zooms(max_zoom, **options)

    def test_a_marker_has_a_cell_of_its_own(self):
        self.assertEqual(Clustering.of({}, "out", 12).marker_depth(5), 7)
        self.assertEqual(Clustering.of({}, "a.pmtiles", 12).marker_depth(5), 8)
        self.assertEqual(Clustering.of({"method": "grid", "cell_size": 128}, "out", 12).marker_depth(5), 6)


class HaloTests(unittest.TestCase):
    def test_forty_pixels_need_992(self):
        for cut in range(12):
            self.assertEqual(halo_pixels(40, cut_zoom=cut, last_zoom=13), 992)
        self.assertEqual(halo_pixels(40, cut_zoom=5, last_zoom=13, position="centroid"), 992 + 120)
        self.assertEqual(halo_pixels(40, cut_zoom=5, last_zoom=13, tile_size=512), 496)
        self.assertEqual(halo_pixels(80, cut_zoom=5, last_zoom=13, tile_size=512), 992)

    def test_distances_by_zoom_are_a_sum(self):
        # Zooms 8, 9 and 10 at 60 pixels in cells of 64; 11 and 12, and as if it went on, at 40.
        expected = (256 + 360) * (1 + 1 / 2 + 1 / 4) + (256 + 240) * (1 / 8 + 1 / 16 + 1 / 16)
        self.assertEqual(halo_pixels("0-10:60,11-:40", cut_zoom=8, last_zoom=12), math.ceil(expected))

    def test_it_is_never_less_than_what_markers_depend_on(self):
        """The program's own sum, zoom by zoom: what decides and what is counted, what means are kept apart from, and micro-cells."""
        for distance, cut, last in itertools.product((1, 3, 20, 32, 33, 64, 100, 128, 256), (0, 6), (7, 12)):
            cell = 2 ** (8 - math.floor(math.log2(256 / distance)))
            for position in ("anchor", "centroid"):
                reach = 0.0
                for zoom in range(last, cut - 1, -1):
                    scale = 2.0 ** (cut - zoom)
                    shown, seen = (distance * scale, 4 * distance * scale) if position == "centroid" else (0, 0)
                    reach = 4 * cell * scale + max(reach + 6 * distance * scale, seen + 4 * distance * scale)
                    reach = max(reach, shown)
                reach += distance / 4 * 2.0 ** (cut - last)
                halo = halo_pixels(distance, cut_zoom=cut, last_zoom=last, position=position)
                self.assertGreaterEqual(halo, reach)
                self.assertLess(halo, 2 * reach)

    def test_a_grid_needs_a_cell(self):
        self.assertEqual(halo_pixels(40, cut_zoom=5, last_zoom=13, method="grid"), 64)
        self.assertEqual(halo_pixels(40, cut_zoom=5, last_zoom=13, method="grid", cell_size="0-5:64,6-:128", tile_size=512), 32)

    def test_what_is_no_distance_is_refused(self):
        for distance in ("forty", "0-5:40", "1-:40", 0, 300, "0-3:40;4-:50"):
            with self.assertRaises(OptionError):
                halo_pixels(distance, cut_zoom=0, last_zoom=9)


class PartitionTests(unittest.TestCase):
    def test_hashes_are_those_of_spark(self):
        # select hash(7), of Spark 4.0.1
        self.assertEqual(_murmur3(7), 1079293707)

    def test_every_partition_has_a_key(self):
        for count in (1, 2, 3, 7, 64, 1000):
            self.assertEqual([_murmur3(key) % count for key in partition_keys(count)], list(range(count)))


if __name__ == "__main__":
    unittest.main()
