#!/usr/bin/env python3
"""Plants small mistakes in the libraries, one at a time, and runs the tests that should notice.

    mutants.py [--only 3,17] [--list] [--scratch DIRECTORY]

All mistakes go into one copy of the package at once, each behind a switch that the environment variable MUTANT turns on, so
that everything is built only once. Each mistake gets the tests of its place, and if they pass, those of its library and of the
libraries above it. Before tests are used, they must pass without any mistake. It is caught by the first test that fails, by a
crash, or by taking ten times as long as without it. Exits with 1 if one survives without a reason.
"""

import argparse
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import workshop  # noqa: F401, temporary files in memory

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Which tests should notice: first the tests of the place, then all of the libraries and of the program.
CLUSTERS = ["PyramidClustersTests", "PyramidBuildTests", "PyramidPartsTests"]
INPUT = ["PyramidInputTests", "FieldFileTests", "PyramidClustersTests", "PyramidPartsTests", "PyramidBuildTests"]
POINTS = ["PyramidInputTests", "(PointTable|Group|CanonicalValues|ClusterContent|RowSpool)Tests", "PyramidPartsTests", "PyramidBuildTests"]
QUADTREE = [
    "(LinearQuadtree|MortonRadixSort|PartPlan|TileCounts|WorthwhileZoom)Tests",
    "PyramidClustersTests",
    "PyramidBuildTests",
    "PyramidPartsTests",
]
TILES = [
    "(Archive|Bundle|ClusterContent|LargestTile|MemberList|StoredTiles|MVTTiles)Tests",
    "(MarkerParents|PartJoiner)Tests",
    "PyramidBuildTests",
    "PyramidPartsTests",
]
BUILDERS = ["(Partwise(Build|Edge|Limit)|MemoryLimit)Tests", "WorthwhileZoomTests", "PyramidPartsTests", "PartCommandTests"]
PARTS = ["PyramidPartsTests", "(Part|Plan)CommandTests"]
COMPARISON = ["(InputVerifier|JSONComparison|InputForgery)Tests", "PyramidPartsTests", "VerifyAndShowCommandTests"]
DURABILITY = ["PyramidCLITests.SyncTests", "PowerCutTests", "FaultTests", "PyramidStoreTests"]
STORE = ["PyramidStoreTests", "PyramidPublishingTests", "PyramidVerificationTests", "PyramidBuildTests", "PyramidPartsTests"]
VERIFICATION = ["PyramidVerificationTests", "PyramidBuildTests", "PyramidPartsTests"]
FORMATS = ["PyramidTilesTests", "PyramidStoreTests", "PyramidVerificationTests", "PyramidBuildTests", "PyramidPartsTests"]
PUBLISHING = ["PyramidPublishingTests", "(DiffCommand|PublishCommand|PublishPair|PublishToDirectory)Tests"]
SERVER = ["PyramidServerTests", "PyramidClientTests", "ServeCommandTests"]
CLIENT = ["PyramidClientTests"]
CLI = [
    "(Advice|OptionFlags|PlanCommand|ProgressDisplay|ProgressEstimate)Tests",
    "(BuildCommand|DiffCommand|Flag|PublishToDirectory|VerifyAndShowCommand)Tests",
    "PyramidCLITests",
]

# Each: the file, the change, and why it may survive, if it may. A change stands in text that the file has exactly once:
# ⟨expression ⇒ another⟩, or ⟦statement ⇒ another or nothing⟧.
MUTANTS = {
    "PyramidClusters/Clusters": (
        CLUSTERS,
        [
            ("AnchorSelection", "for _ in ⟨1..<AnchorSelection.rounds ⇒ 1..<AnchorSelection.rounds + 1⟩ where"),
            ("AnchorAssignment", "if ⟨one.isAsHeavy != other.isAsHeavy ⇒ false⟩ { return"),
            ("AnchorAssignment", "return ⟨isHigher(one.anchor, than: other.anchor) ⇒ false⟩"),
            ("CandidateRanks", "⟦weights[Int(parent)] += weights[Int(candidate)] ⇒ ⟧"),
            ("CandidateRanks", "if one != two { return ⟨one > two ⇒ one < two⟩ }"),
            ("Candidates", "if highestRank.map({ ⟨$0 < rank ⇒ $0 > rank⟩ })"),
            ("ClusterTable", "of: hierarchy, values, expansionZoom: ⟨zoom + 1 ⇒ zoom⟩)"),
            ("ClusterExtent", "guard ⟨Int64(east) - Int64(west) <= box.width ⇒ true⟩ else"),
            ("ClusterTable", "(⟨2 * sums[cluster].south + count ⇒ 2 * sums[cluster].south⟩).dividedRoundingDown"),
            ("ClusterPlacement", "slack: ⟨(nearest - distance) / 2 ⇒ nearest - distance⟩)"),
            ("NearTest", "limit = ⟨distanceUnits &* distanceUnits &- 1 ⇒ distanceUnits &* distanceUnits⟩"),
            ("NearSweep", "if ⟨near.reachesAcrossTheAntimeridian(place.x) ⇒ false⟩ {"),
            ("MarkerParents", "while ⟨Int(hierarchy.joinZoom[candidate]) >= zoom ⇒ Int(hierarchy.joinZoom[candidate]) > zoom⟩ {"),
            ("MarkerParents", "guard ⟨Int(writtenFrom[candidate]) >= zoom ⇒ true⟩ else"),
            (
                "MarkerParents",
                "guard let id = clusterID(ofCandidate: candidate, atZoom: zoom - 1),\n                ⟨id != entry.map({ clusters.id(of: $0) }) ⇒ true⟩",
            ),
            ("MarkerParents", "let stays = ⟨Int(hierarchy.joinZoom[candidate]) < zoom - 1 ⇒ Int(hierarchy.joinZoom[candidate]) < zoom⟩"),
            ("PlaceSeparation", "leaving[max(⟨Int(together[candidate]) + 1 ⇒ Int(together[candidate])⟩ - zooms.lowerBound, 0)]"),
            ("Aggregates", "case .min: results[cluster] = ⟨isFirst ? value : min(results[cluster], value) ⇒ min(results[cluster], value)⟩"),
            (
                "Aggregates",
                "return ⟨(other.count, one.category) < (one.count, other.category) ⇒ (other.count, other.category) < (one.count, one.category)⟩",
            ),
            ("Aggregates", "if listedCount < limit, ⟨count.category != other ⇒ true⟩ {"),
            (
                "PointPrecedence",
                "if ⟨(priority(of: point), weight(of: point)) >= (priority(of: highest), weight(of: highest)) "
                "⇒ (priority(of: point), weight(of: point)) > (priority(of: highest), weight(of: highest))⟩ {",
            ),
        ],
    ),
    "PyramidInput": (
        INPUT,
        [
            ("Bytes/LineCounter", "|| ⟨isCarriageReturn && !isPair ⇒ isCarriageReturn⟩ {"),
            ("Bytes/SpoolFile", '⟦if case .error = result { throw try broken("half of a surrogate pair") } ⇒ ⟧'),
            ("Bytes/SpoolFile", "&& ⟨!bytes.starts(with: [0xff, 0xfe, 0, 0]) ⇒ true⟩"),
            ("Bytes/SpoolFile", "if !⟨bytes.count.isMultiple(of: 2) ⇒ true⟩ {"),
            ("CSV/CSVColumns", "return ⟨similar.count == 1 ⇒ !similar.isEmpty⟩ ?"),
            (
                "CSV/CSVHeader",
                "⟨($1.element.names.count, $0.offset) < ($0.element.names.count, $1.offset) "
                "⇒ ($1.element.names.count, $1.offset) < ($0.element.names.count, $0.offset)⟩",
            ),
            ("CSV/CSVHeader", "⟨options.delimiter?.utf8.first ?? statedDelimiter ⇒ statedDelimiter ?? options.delimiter?.utf8.first⟩"),
            ("CSV/CSVRowRule", "contains { ⟨isRow($0, of: bytes, &buffer, mayBeShort: true) ⇒ false⟩ }"),
            ("CSV/CSVRowScanner+Readings", "rank != .whole && ⟨other.mayHideRow ⇒ false⟩ && !mayHideRow"),
            ("CSV/CSVPlace", "guard ⟨north.isPacked == east.isPacked ⇒ true⟩ else"),
            ("CSV/CSVPlace", "if reading.fault != nil, ⟨areNoData(fields, of: bytes) ⇒ false⟩"),
            ("CSV/AngleCells", "!contradictsName, ⟨!lacksDirection ⇒ true⟩ else"),
            ("CSV/AngleCells", "guard ⟨unknownWord == nil ⇒ true⟩, !contradictsName"),
            ("CSV/AngleCells", "return ⟨letter.isNegative == isLetterInCell ⇒ true⟩ ? -magnitude"),
            ("CSV/AngleCells", "guard ⟨isLetterInCell ⇒ true⟩, numberCount == 1"),
            ("CSV/CellKinds", "guard isWide || ⟨oddCount <= 1 ⇒ true⟩ else"),
            ("CSV/CellKinds", "own >= other : ⟨own > other ⇒ own >= other⟩"),
            ("CSV/CellKinds", "max(⟨filled - kinds.count ⇒ spare⟩, 0)..<width"),
            ("CSV/CSVRowParser", "guard ⟨spareCount > 0 ⇒ false⟩ else"),
            ("CSV/CellKinds", "⟦complete.rowCount += wide.value.rowCount ⇒ return complete⟧"),
            ("CSV/CellKinds", "let isSame = !isCoordinate[column] || ⟨shift == 0 && count == 1 ⇒ true⟩"),
            ("CSV/DirectionColumns", "if cells(north, on: .latitude) == .directions, ⟨cells(east, on: .longitude) == .directions ⇒ true⟩ {"),
            ("CSV/DirectionColumns", "guard areKnown, ⟨!hasSigns(degrees) ⇒ true⟩ else"),
            ("CSV/DirectionColumns", "columnsNamed(for: name, besides: found).first ?? ⟨similar ⇒ nil⟩ {"),
            ("Coordinates/CoordinateName", "⟨axes[name.letter]?.count == 1 ⇒ true⟩ &&"),
            ("CSV/MinuteColumns", "name.unit != .decimal, ⟨!isBox ⇒ true⟩ else"),
            ("CSV/MinuteColumns", "guard ⟨!isBox ⇒ true⟩, axes"),
            ("CSV/CoordinateColumns+Parts", "if ⟨haveMinutes ⇒ false⟩, others.count == 1"),
            ("CSV/MinuteColumns", "fit.count { $0 } * ⟨2 ⇒ 1⟩ > fit.count"),
            ("CSV/MinuteColumns", "for parts in ⟨[Array(behind), about] ⇒ [Array(behind)]⟩"),
            ("CSV/CSVRowScanner+Readings", "return ⟨fieldWithQuotes(bytes, quote, beyond: quote) ⇒ nil⟩"),
            ("CSV/CSVRowParser", "⟦if isAhead, scanner.reach >= bytes.count { break } ⇒ ⟧"),
            ("CSV/CSVRowParser", "guard ⟨!isShort || scanner.row.end < bytes.count ⇒ true⟩ else"),
            ("CSV/CSVRowParser", "guard ⟨!isRagged || isCertain ⇒ true⟩ else"),
            ("CSV/CSVRowParser", "if ⟨isHeader(rowAt: start, in: bytes) ⇒ false⟩ { return"),
            ("CSV/CSVRowParser", "⟨start == firstRow ⇒ true⟩"),
            ("CSV/CSVRowRule", "guard ⟨!bytes.trimmingBlanks(line).isEmpty ⇒ true⟩ else"),
            ("CSV/CSVRowRule", "position = ⟨afterBlanks(bytes, position + 1) ⇒ position + 1⟩"),
            ("CSV/CSVRowScanner+Readings", "let isText = ⟨hasInnerRow ⇒ false⟩ ||"),
            ("CSV/CSVRowScanner+Readings", "⟨ends.allSatisfy { rule.isRow($0, of: bytes, &buffer) } ⇒ false⟩"),
            ("CSV/CSVRowScanner+Readings", "if ⟨best.rank == .none ⇒ false⟩ {"),
            ("CSV/CSVRowScanner+Readings", "if best.rank != .whole, ⟨!isComplete ⇒ false⟩ {"),
            ("CSV/CSVRowScanner", "guard ⟨range != field.range ⇒ false⟩ else"),
            ("Rows/RowRemarks", "if ⟨count == 0 ⇒ true⟩ { (firstRow, example) = (next"),
            ("CSV/ColumnTypes", "hasDecimalCommas && ⟨column != id ⇒ true⟩ ?"),
            ("CSV/ColumnTypes", "return ⟨number.fraction.count == 3 ⇒ number.fraction.count > 2⟩ && !number.hasExponent"),
            ("CSV/CoordinateColumns", "$0.prefix == $1.prefix && ⟨$0.isDecimal ⇒ false⟩ &&"),
            ("Coordinates/CoordinateName", "⟨meaning.word != .size || prefix.isEmpty ⇒ true⟩"),
            ("GeoJSON/GeoJSONFeatureScanner", "⟦if geometry != nil { hasRepeatedMember = true } ⇒ ⟧"),
            ("GeoJSON/GeoJSONRowCheck", "!(id.kind == .text && ⟨id.range.count == 2 ⇒ false⟩)"),
            ("GeoJSON/GeoJSONFeatureScanner", "guard ⟨scanner.hasNaN || scanner.hasHugeNumber || scanner.hasLoneSurrogate ⇒ scanner.hasNaN⟩ else"),
            ("GeoJSON/GeoJSONRowCheck", "⟨value.text.range ⇒ value.range⟩), axis: axis)"),
            ("GeoJSON/GeoJSONRowParser", "let ordinal = collected.rows.seenCount - ⟨collected.rowsBefore ⇒ 0⟩ + 1"),
            ("GeoJSON/GeoJSONRowParser", 'openBraces = open.filter { ⟨bytes[$0] == UInt8(ascii: "{") ⇒ false⟩ }'),
            ("Rows/RowParser", "if ⟨isCounted ⇒ true⟩ { self.digest"),
            ("Rows/PointReader", "if ⟨number.magnitude >= 1e11 ⇒ number >= 1e11⟩ { insert(.notSeconds) }"),
            ("Rows/PlaceReading", "abs(longitude) <= ⟨2 * limit ⇒ 3 * limit⟩"),
            ("Coordinates/AngleText", "if ⟨angle.needsDirection ⇒ false⟩, prefix == nil"),
            ("Coordinates/AngleText", "return ⟨AngleText.takeDegreeSign(&next, in: bytes) ⇒ false⟩ ? nil"),
            ("Coordinates/AngleText", "+ ⟨1_800 ⇒ 1_799⟩) / 3_600"),
            ("Coordinates/DecimalDegrees", "&& ⟨abs(longitude) <= Axis.latitude.limitMicrodegrees ⇒ true⟩"),
            ("Report/InputReport+Readers", "badCount > ⟨rowsRead / 10 ⇒ rowsAccepted / 10⟩"),
            ("../PyramidParts/Parts/PartArea", "0)..<⟨y.upperBound + halo ⇒ y.upperBound⟩"),
            ("../PyramidParts/Parts/PartArea", "if width >= 1 << 32 || ⟨end <= width ⇒ start < width⟩"),
            ("../PyramidParts/Parts/PartArea", "return start >= width && ⟨end <= 1 << 32 ⇒ true⟩ ? .none"),
            ("Coordinates/DecimalDegrees", "1 << (power - ⟨1 ⇒ 2⟩)"),
            ("Rows/PointReader", "contains(.bothMarks) ? ⟨!contains(.decimalPoint) ⇒ true⟩ :"),
            ("Rows/PointReader", ": ⟨!contains(.pointGroups) ⇒ true⟩)"),
            ("Rows/StatedCompleteness", "value.kind == .text, ⟨!value.text.range.isEmpty ⇒ true⟩"),
            ("Report/InputReport+Readers", "case .booleanWord: if ⟨known != .text ⇒ false⟩ {"),
            ("Rows/PointReader", "(contains(.decimalComma) || ⟨!contains(.groupComma) ⇒ true⟩)"),
            ("Coordinates/PointText", "guard ⟨srid == 4326 ⇒ true⟩ else"),
            ("Coordinates/PointText", 'let mayBeComma = ⟨point != UInt8(ascii: ",") ⇒ true⟩ ||'),
            ("Coordinates/PointText", "let order = ⟨ownOrder ?? order ⇒ order⟩"),
            ("Coordinates/WKBPoint", "thousands & ⟨2 ⇒ 1⟩ != 0"),
            ("../PyramidTiles/Metadata/SkipLimit", "⟨bad * 100 <= $0 * count ⇒ bad * 100 < $0 * count⟩"),
            ("../PyramidTiles/Metadata/SkipLimit", "⟨($0.bad * 100 + $0.count - 1) / $0.count ⇒ $0.bad * 100 / $0.count⟩"),
            ("CSV/CSVPointReader", "guard ⟨other.rows.acceptedCount > 0 ⇒ true⟩ else"),
            ("Report/InputAdvice", "point.order == ⟨.latitudeFirst ⇒ .longitudeFirst⟩\n"),
            ("Report/InputReport+Remarks", "⟨count * 10 < rowsAccepted ⇒ true⟩ {"),
            ("Report/InputReport+Remarks", 'let have = ⟨count == 1 ? "has" : "have" ⇒ "has"⟩'),
            ("Report/SkippedRows", "let judged = ⟨options.isStrict ? inputs : bad ⇒ bad⟩"),
            ("Report/SkippedRows", "⟦bad.rowsRead -= count - bad.count ⇒ ⟧"),
        ],
    ),
    "PyramidClusters/Quadtree": (
        QUADTREE,
        [
            ("../../PyramidStore/Memory/KeyedNumbers", "⟨target.keys[position - 1] > key ⇒ target.keys[position - 1] >= key⟩ {"),
            ("LinearQuadtree", "while end < ⟨codes.count ⇒ chunk.upperBound⟩, codes[end]"),
            ("LinearQuadtree", "(groups.last?.points.upperBound ?? ⟨0 ⇒ count⟩)..<count"),
            ("TileCounts", "⟦add(added.lowerBound, after: codes.upperBound) ⇒ ⟧"),
        ],
    ),
    "PyramidInput/Points": (
        POINTS,
        [
            ("TextSpellings", "guard let earlier, ⟨earlier != text ⇒ false⟩ else"),
            ("ColumnValues", "UInt32(⟨$0.offset + 1 ⇒ $0.offset⟩)"),
            (
                "ColumnValues",
                "texts.indices.sorted { ⟨texts[$0].lexicographicallyPrecedes(texts[$1]) ⇒ texts[$1].lexicographicallyPrecedes(texts[$0])⟩ }",
            ),
            ("DuplicateIDs", "{ ⟨row($0).precedes(row($1)) ⇒ row($1).precedes(row($0))⟩ ? $1 : $0 }"),
            ("DuplicateIDs", "withSameID(⟨rows.map(\\.start).sorted() ⇒ rows.map(\\.start)⟩)"),
            ("DuplicateIDs", "guard ⟨isChanged[input] ⇒ true⟩ else { return false }"),
            ("RowCopies", "⟦buffer.append(0) ⇒ ⟧"),
            ("../../PyramidClusters/Quadtree/PointGroups", "case .bool: ⟨forBooleans ⇒ rule⟩"),
            ("InputRow", "return ⟨first.count - second.count ⇒ second.count - first.count⟩"),
            ("RowSpool", "where ⟨hash != 0 ⇒ true⟩ {"),
            ("RowSpool", "HashedRow(hash: hash, start: ⟨start + base ⇒ start⟩)"),
            ("../../PyramidParts/Parts/RowSpool+Places", "if ⟨area.use(of: place) != .leftOut ⇒ area.use(of: place) == .counted⟩ { add(row) }"),
            ("RowSpool", "⟦counts[Int(MortonCode(rawValue: rows[row].code).node(atDepth: RowSpool.countedZoom))] -= 1 ⇒ ⟧"),
            (
                "../../PyramidParts/Parts/RowSpool+Places",
                "sum + (⟨dropped.isEmpty ? range.count : range.count { !dropped.contains($0) } ⇒ range.count⟩)",
            ),
        ],
    ),
    "PyramidBuild/Content": (
        TILES,
        [
            ("AccumulatedColumn", "let text = Array(⟨indices.sorted() ⇒ indices⟩.map"),
            ("MemberList", "guard ⟨ids.column.isNumber ⇒ false⟩ else { return Array("),
        ],
    ),
    "PyramidBuild/Encoding": (TILES, [("GeoJSONTileEncoder", "if ⟨number != 0 ⇒ number > 1⟩ { end")]),
    "PyramidBuild/Tiles": (
        TILES,
        [
            ("RecordSummary", "if ⟨self[index].staysTogether ⇒ false⟩ {"),
            (
                "ArrangedMarkers",
                "if ⟨descent.pointCount(of: root) < descent.rules.minPoints ⇒ descent.pointCount(of: root) <= descent.rules.minPoints⟩ {",
            ),
            ("BundleFold", "records[record].firstZoom = ⟨Int8(zoom) ⇒ records[record].firstZoom⟩"),
            ("BundleFold", "if ⟨records[place].firstZoom > zoom ⇒ true⟩ { merged.append(records[place]) }"),
            ("BundleFold", "⟦climb { $0 == node } ⇒ ⟧"),
            ("LargestTile", "places.reduce(0) { $0 + (⟨$1 > limit ⇒ $1 >= limit⟩ ? 1 : $1) }"),
            ("MarkerLayer", "⟨tile.markers.count == markers.count ⇒ true⟩,"),
            ("MarkerLayer", "- markers.lowerBound && ⟨parents[$0] == 0 ⇒ true⟩ })"),
            ("TileWorker", "let isBundle = counts.map { ⟨$0 <= bundleLimit ⇒ $0 < bundleLimit⟩ || isLast }"),
            (
                "TileWorker",
                "if let open, ⟨fold.recordCount(ofParentOf: tile, atZoom: open.zoom) <= bundleLimit ⇒ fold.recordCount(ofParentOf: tile, atZoom: open.zoom) < bundleLimit⟩ {",
            ),
            ("MarkerEncoder", "lastZoom: ⟨lastZoom == maxZoom ? nil : lastZoom ⇒ lastZoom⟩,"),
            ("RecordSummary", "self[index].parentIndex = ⟨parent ⇒ nil⟩"),
            ("RecordSummary", "(⟨parentID == 0 || parentID == clusterID ⇒ parentID == 0⟩ ? nil : .id(parentID))"),
        ],
    ),
    "PyramidParts/Builders": (
        BUILDERS,
        [
            ("PartwisePlanning", "$0.rows > 0 || ⟨clustering.position == .centroid && $0.rowsWithHalo > 0 ⇒ false⟩ }"),
            ("PartwisePlanning", "let handedOver = ⟨unclustered + (options.clusters.joinsTexts ? spool.count : 0) ⇒ unclustered⟩"),
            ("../Parts/HandOver", "cluster.isAlone = ⟨points.count == cluster.pointCount ⇒ true⟩ && quadtree"),
            ("../../PyramidStore/Parts/PartFileWriter", "⟦if kept != nil { note(address) } ⇒ ⟧"),
        ],
    ),
    "PyramidParts/Parts": (
        PARTS,
        [
            (
                "PartSource",
                "⟨precedence.weights.isEmpty ? UInt64(cluster.pointCount) : UInt64(cluster.aggregates.weight) ⇒ UInt64(cluster.pointCount)⟩",
            ),
            ("../../PyramidTiles/Geometry/BoundingBox", "east: ⟨max(east, other.east) ⇒ min(east, other.east)⟩"),
            ("OpenedPart", "⟦if let next { throw missing(from: next) } ⇒ ⟧"),
            ("OpenedPart", "&& ⟨storedBytes == manifest.zooms.map(\\.storedBytes) ⇒ true⟩ &&"),
            ("OpenedPart", "} else if ⟨points != rows ⇒ points > rows⟩ {"),
            ("../Parts/HandOver", "⟦isNeeded[anchor] = true ⇒ ⟧"),
            ("PartSections", "⟨rows.contains(anchorRow) ⇒ true⟩"),
            ("CellCounts+Reading", "⟦counts[cell.node, default: 0] += count ⇒ counts[cell.node] = count⟧"),
            ("OpenedPart+SameRows", "node == nil || ⟨halo.cells[next] == cell ⇒ halo.cells[next].rowCount == cell.rowCount⟩ {"),
            ("OpenedPart+SameRows", "⟦try requireNext(upTo: nil, CellDigests.Total()) ⇒ ⟧"),
            ("PartPlan", "least > rowsPerPart, ⟨4 * whole.rowsWithHalo <= 5 * least ⇒ 5 * whole.rowsWithHalo <= 4 * least⟩ {"),
            ("PartPlan", "<= joinMarkers || ⟨occupiedCells(depth) <= joinMarkers ⇒ occupiedCells(depth) < joinMarkers⟩"),
            ("PartSource+Files", "⟦sum.clusters += other.clusters ⇒ sum.clusters += other.markers⟧"),
        ],
    ),
    "PyramidParts/Comparison": (
        COMPARISON,
        [
            ("ComparingWriter", "state.bodies.keys.contains { ⟨address < $0 ⇒ address > $0⟩ }"),
            (
                "InputVerificationReport",
                "if ⟨counts[kind, default: 0] < InputVerificationReport.listedDifferencesPerKind "
                "⇒ counts[kind, default: 0] <= InputVerificationReport.listedDifferencesPerKind⟩ {",
            ),
            ("InputVerifier", "⟨!found.hasSameBody(as: expected) ⇒ true⟩\n"),
            ("../../PyramidStore/Tileset/JSONComparison", "for index in 0..<⟨max(own.count, others.count) ⇒ others.count⟩ {"),
            ("InputVerifier", "⟦options.input.maxSkipped = .unlimited ⇒ ⟧"),
            (
                "../../PyramidInput/CSV/CSVRowParser",
                "options.reservedNames.contains(own) ? ⟨CSVColumns.index(of: own, in: names) ⇒ nil⟩ : nil",
            ),
            (
                "../../PyramidBuild/Options/ResolvedOptions",
                "⟦for index in memberProperties.indices { try name(&memberProperties[index], .memberProperties) } ⇒ ⟧",
            ),
        ],
    ),
    "PyramidStore": (
        STORE,
        [
            ("Archive/ArchiveLayout", "run.body == body, ⟨run.id + UInt64(run.runLength) == tile.id ⇒ true⟩ {"),
            ("Archive/EqualBodies", "where try ⟨bytes(of: earlier) == content ⇒ true⟩ {"),
            ("Archive/ArchiveTileset", "guard ⟨entry.tileID >= end ⇒ true⟩ else {"),
            ("Archive/ArchiveTilesetWriter", "if ⟨found?.elementsEqual(piece) != true ⇒ false⟩ {"),
            ("Directory/StraySearch", 'guard let value, ⟨"\\(value)\\(suffix)" == name ⇒ true⟩,'),
            ("Directory/DirectoryTilesetWriter", "try removeFiles { address, suffix in ⟨listed.holds(address, suffix: suffix) ⇒ false⟩ }"),
            ("Directory/DirectoryTilesetWriter", "⟨suffix == storage.suffix ⇒ true⟩ && list.file(at: address) != nil"),
            ("Files/DirectoryHandle", "bytes.count + (⟨isLast ? 1 : 0 ⇒ 0⟩)"),
            ("Files/DirectoryHandle", "⟦try removeDirectoryIfEmpty(first) ⇒ ⟧"),
            ("Parts/PartFile", "guard ⟨Gzip.crc32(body(of: entry)) == entry.file.crc32 ⇒ true⟩ else"),
            ("Tileset/TilesetListing", "⟨suffix == storage?.suffix ⇒ true⟩ &&"),
            ("Directory/StraySearch", "!own.contains(name) && ⟨!compressed.contains(name) ⇒ true⟩ {"),
            ("Files/BuildLock", "content.starts(with: text.utf8) || ⟨text.utf8.starts(with: content) ⇒ false⟩"),
            ("Files/RunSorter", "if let last = same.last, ⟨last.sortKey != element.sortKey ⇒ true⟩ {"),
            ("Files/RunSorter", "if let lastOfRun, ⟨first.sortKey < lastOfRun.sortKey ⇒ false⟩ {"),
            (
                "Files/RunSorter",
                "if child + 1 < heap.count, ⟨RunMerge.precedes(heap[child + 1], heap[child]) ⇒ RunMerge.precedes(heap[child], heap[child + 1])⟩ {",
            ),
            ("Files/Spool", "mapped[(⟨range.lowerBound - start ⇒ 0⟩)...]"),
            ("Files/SpoolFolder", "freeBytes > other.freeBytes : ⟨other.isInMemory ⇒ isInMemory⟩"),
            ("Memory/SystemMemory", "return max(limit - max(⟨usage - cached ⇒ usage⟩, 0), 0)"),
        ],
    ),
    "PyramidVerification": (
        VERIFICATION,
        [
            ("BoundsTally", "let touchesBoth = ⟨touchesWest && touchesEast ⇒ touchesWest || touchesEast⟩ ||"),
            ("DistanceCheck", "guard ⟨nearNode > node ⇒ nearNode > node + 1⟩ else"),
            ("DistanceCheck", "⟨markers[next].group == group ⇒ true⟩, markers[next].code"),
            ("FileFacets", "⟦firstZooms[index] = firstZooms[cluster] ⇒ ⟧"),
            ("FileFacets", "where ⟨memberCounts[index] != markers[index].pointCount ⇒ memberCounts[index] > markers[index].pointCount⟩ {"),
            ("PlaceCheck", "if hasCluster ? ⟨end - start > 1 ⇒ end - start > 2⟩ :"),
            ("PlacedMarker", "if ⟨id.zooms.lowerBound <= lastZoom ⇒ id.zooms.lowerBound < lastZoom⟩ {"),
            ("PlacedMarker", "lastZoom = ⟨max(lastZoom, id.zooms.upperBound) ⇒ id.zooms.upperBound⟩"),
            ("TileCheck", "let isInOrder = ⟨last.map { (possible.lastCode, zooms.lowerBound) >= $0 } ?? true ⇒ true⟩"),
            ("TileCheck+Markers", "let lastWhole = ⟨cluster.isCoincident ⇒ false⟩ ?"),
            ("TileCheck", "where ⟨index == 0 || address.kind == .bundle ⇒ index == 0⟩ {"),
            ("ZoomTally", "if ⟨found != accepted ⇒ found < accepted⟩ {"),
        ],
    ),
    "PyramidTiles": (
        FORMATS,
        [
            ("Dates/DateNotation", "return ⟨isNegative ? -minutes : minutes ⇒ minutes⟩"),
            ("Dates/DateUnit", "guard ⟨date.precision >= precision ⇒ true⟩ else"),
            ("Dates/DateUnit", "day.number += ⟨3 - day.weekday ⇒ 0⟩"),
            ("Dates/DateUnit", "-Q\\(⟨(month + 2) / 3 ⇒ month / 3 + 1⟩)"),
            ("Encoding/DecodedFacets", "⟨ownCount <= gaps.rest ⇒ ownCount <= gaps.rest + 1⟩ else"),
            ("Encoding/DecodedFacets", "guard ⟨numbers.last != 0 ⇒ true⟩ else"),
            ("Features/FixedDecimal", "⟨number.isJSON(bytes) ⇒ true⟩,"),
            ("Archive/PMTilesDirectory", "|| ⟨tileID < entry.endID ⇒ tileID <= entry.endID⟩ ?"),
            ("Archive/TileCoordinate+PMTilesID", "⟦if right == 1 { (x, y) = (~x, ~y) } ⇒ ⟧"),
            ("Metadata/CountLabel", "let tenths = (⟨count * 10 + unit / 2 ⇒ count * 10⟩) / unit"),
            ("Bytes/DecimalLiteral", "else if ⟨digit >= 5 ⇒ digit > 5⟩ {"),
            ("Bytes/Varint", "return ⟨shift < 63 || byte <= 1 ⇒ true⟩ ?"),
            ("Geometry/BoundingBox", "min(⟨east * 10 + 1 ⇒ east * 10⟩, 1_800_000_000)"),
            ("Metadata/BundleIndex", "⟦node = Int(ends[node]) ⇒ node += 1⟧"),
        ],
    ),
    "PyramidPublishing": (
        PUBLISHING,
        [
            ("ArchivePublisher", "replaces: ⟨found != nil ⇒ !isThere⟩)"),
            ("DirectoryDestination", "if making { ⟨_ = try? root.remove(nil, in: names.dropLast()) ⇒ ()⟩ }"),
            ("PublishedState", "guard place.folder == folder, ⟨place.suffix == known?.suffix ⇒ true⟩ else"),
            ("PublishedState", "in journal.items.enumerated() where ⟨isOpen(item.place.folder) ⇒ true⟩ {"),
            ("PublishedState", "(isComplete, isUnfinished) = (⟨false ⇒ isComplete⟩, true)"),
            ("Publisher", "checkIsUnchanged: { ⟨try checkIsUnchanged(local) ⇒ ()⟩ }"),
            ("Publisher+Batches", "⟨Gzip.crc32(bytes) == entry.file.crc32 ⇒ true⟩ else"),
            ("PublishingPlan", "state.hasSent(file, to: place) && ⟨!isMissing(place.path, file.byteCount) ⇒ true⟩"),
            ("PublishingPlan", "strays = ⟨gone.filter { !state.lists($0) }.sorted().map(\\.path) ⇒ []⟩"),
            ("PublishingPlan", "case TileJSON.fileName: ⟨2 ⇒ 0⟩"),
            (
                "PublishingTurn",
                "⟨now.timeIntervalSince(owner.since) < PublishingStatus.Owner.limitSeconds ⇒ now.timeIntervalSince(owner.since) <= PublishingStatus.Owner.limitSeconds⟩",
            ),
            ("PublishingTurn", "⟦if try destination.content(of: PublishingJournal.fileName) == nil { return try end() } ⇒ ⟧"),
            ("PublishingTurn", "(status.journal, status.doneCount) = (journal.header.token, ⟨journal.header.settledCount ⇒ status.doneCount⟩)"),
            ("PyramidDifference", "if ⟨old.isOneFile != new.isOneFile ⇒ old.isOneFile⟩ {"),
        ],
    ),
    "PyramidServer": (
        SERVER,
        [
            ("Files/ServedTileset", "⟨version != opened.manifestVersion ⇒ false⟩\n"),
            ("HTTP/RequestHead", "keepsAlive = ⟨isAsked && !hasBody ⇒ isAsked⟩"),
            ("HTTP/RequestHead", "searched = max(⟨bytes.count - RequestHead.end.count + 1 ⇒ bytes.count⟩, 0)"),
            ("HTTP/RequestHead", 'gzip > 0 && ⟨gzip >= weights["identity"] ?? 0 ⇒ true⟩'),
            ("HTTP/RequestHead", ".part(first..<(⟨last < byteCount ? last + 1 : byteCount ⇒ min(last, byteCount)⟩))"),
            ("HTTP/Response", 'let tags = ["*", text, ⟨"W/\\(text)" ⇒ text⟩]'),
            ("PyramidResponder", 'contains { ⟨$0 == "forwarded" || $0.hasPrefix("x-forwarded-") ⇒ $0 == "forwarded"⟩ }'),
            ("ServerAccess", "|| ⟨origin.authority.host == request.authority?.host ⇒ origin.authority == request.authority⟩ ||"),
        ],
    ),
    "PyramidClient": (
        CLIENT,
        [
            ("Filter/FilteredMarker", "repetitions[feature] = ⟨repetition + 1 ⇒ repetition⟩"),
            ("Display/MarkerChanges", "byID[parent], ⟨cluster.total > marker.total ⇒ true⟩ {"),
            ("Display/TileCoordinate+Covering", "Array(0..<min(⟨last + 1 ⇒ last⟩, first))"),
            ("Display/VisibleMarkers", "⟦loading?.task.cancel() ⇒ ⟧\n        loading = nil"),
            ("Display/VisibleMarkers", "let changes = MarkerChanges(from: markers, to: found, isOneZoom: ⟨isOneZoom ⇒ true⟩)"),
            ("Display/VisibleMarkers", "zooms == Request(viewport, filter).zooms && ⟨filter == self.filter ⇒ true⟩"),
            ("Filter/FacetMatcher", "$0.from <= number && ⟨number < $0.to ⇒ number <= $0.to⟩"),
            ("Filter/FacetMatcher", "&& ⟨Double(date.milliseconds) < $0.to ⇒ Double(date.milliseconds) <= $0.to⟩ }"),
            ("Filter/FacetMatcher", "case nil: ⟦isKnown = false ⇒ ⟧"),
            ("Filter/FilteredFiles", "$0.address == fetched.address && ⟨$0.bytes == fetched.bytes ⇒ true⟩ }"),
            ("Points/PointSearch+Box", "guard let files else {\n            ⟦search.lacksPoints = true ⇒ ⟧"),
            ("Points/PointSearch+Box", "if try await ⟨!hasAllPoints() ⇒ false⟩ {"),
            ("Points/PointSearch+Box", "⟦if !box.contains(area), zoom == lastZoom { search.lacksPoints = true } ⇒ ⟧"),
            ("Points/PointSearch", "max(splits, zoom + 1)))\n                    } else {\n                        ⟦isExact = false ⇒ ⟧"),
            ("Points/PointSearch", "if ⟨PointSearch.count(children) == cluster.pointCount ⇒ !children.isEmpty⟩ { return children }"),
            ("Points/PointSearch", "return ⟨PointSearch.count(inside) == cluster.pointCount ⇒ true⟩ ? inside : nil"),
            ("RemoteFiles", "⟨status == 429 ⇒ false⟩ ||"),
            ("RemoteTiles", "guard ⟨filesMayBeMissing || description.bundles == nil ⇒ description.bundles == nil⟩ else"),
        ],
    ),
    "PyramidCLI": (
        CLI,
        [
            (
                "BuildSummary",
                "all.prefix(⟨all.count == BuildSummary.shownColumns + 1 ? all.count : BuildSummary.shownColumns ⇒ BuildSummary.shownColumns⟩)",
            ),
            ("CommonOptionGroup", 'try value(⟨String($0.replacing("\\0", with: ",")) ⇒ String($0)⟩)'),
            ("ClusteringOptionGroup", "options.mode = ⟨mode ⇒ .markers⟩"),
            ("InputOptionGroup", "delimiter: delimiter, skipLines: ⟨skipLines ⇒ 0⟩,"),
            ("JoinCommand", "⟦if let jobs = running.jobs { options.jobs = jobs } ⇒ ⟧"),
            ("DiffCommand", "let path = isDirectory ? ⟨new ⇒ old⟩ :"),
            ("PlanCommand", "($0.zoom, $0.count) }) { ⟨max($0, $1) ⇒ min($0, $1)⟩ }"),
            ("ProgressDisplay", "samples.count > 2, ⟨samples[1].time <= time - window ⇒ samples[0].time <= time - window⟩ {"),
            ("PublishCommand", "plan.isUploaded && ⟨plan.replaces ⇒ true⟩ ?"),
            ("PublishCommand", "guard !(⟨archive == nil ⇒ archive != nil⟩ ?"),
            ("ShowCommand", "if ⟨tile.z > options.maxZoom ⇒ tile.z >= options.maxZoom⟩ {"),
            ("VerifyCommand", "let unlisted = ⟨count - listedCount ⇒ 0⟩"),
            ("VerifyCommand", "ofInput?.inputChange != nil && ⟨!all ⇒ true⟩ &&"),
        ],
    ),
    # Calls that bring files and names to the disk: their errors and their order.
    "PyramidStore/Files": (
        DURABILITY,
        [
            ("DirectoryHandle+Sync", "#endif\n        guard ⟨isSynced ⇒ true⟩ else"),
            ("DirectoryHandle+Sync", "guard ⟨uninterrupted({ syncfs(descriptor) }) == 0 ⇒ uninterrupted({ syncfs(descriptor) }) < 1⟩ else"),
            ("StagedFile", '⟦if syncs { try DirectoryHandle.sync(descriptor, folder.path + "/" + temporaryName) } ⇒ ⟧'),
            ("StagedFile", "⟦if syncs { try folder.syncNames() } ⇒ ⟧"),
            ("LockedFolder", "⟦try lock.sync() ⇒ ⟧"),
            ("LockedFolder", "_ = try folder.remove(marker)\n        if ⟨syncs ⇒ false⟩ {"),
        ],
    ),
    "PyramidStore/Directory": (
        DURABILITY,
        [
            ("DirectoryTilesetWriter", "if ⟨syncs ⇒ false⟩ { try root.syncFileSystem() }\n        try file?.publish()"),
            ("DirectoryTilesetWriter", "⟦if syncs { try root.syncNames() }\n        try locked.removeMarker() ⇒ try locked.removeMarker()⟧"),
        ],
    ),
}

SWITCH = """import PyramidPlatform

/// The number of the mistake that is turned on; 0 for none.
@usableFromInline let mutant = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
"""


class Mutant:
    def __init__(self, number, folder, tests, file, change, reason=None):
        self.number, self.tests, self.change, self.reason = number, tests, change, reason
        self.path = os.path.normpath(f"Sources/{folder}/{file}.swift")
        self.target = self.path.split("/")[1]
        match = re.fullmatch(r"(.*)([⟨⟦])(.*?) ⇒ (.*)[⟩⟧](.*)", change, re.DOTALL)
        before, kind, old, new, after = match.groups()
        self.old = before + old + after
        if kind == "⟨":
            planted = f"(mutant == {number} ? ({new}) : ({old}))"
        else:
            planted = f"if mutant == {number} {{ {new} }} else {{ {old} }}"
        self.new = before + planted + after

    def plant(self, text):
        count = text.count(self.old)
        if count != 1:
            sys.exit(f'mutant {self.number}: {self.path} has "{self.old}" {count} times, expected once; choose it anew')
        return text.replace(self.old, self.new)


def all_mutants():
    mutants = []
    for folder, (tests, changes) in MUTANTS.items():
        for change in changes:
            mutants.append(Mutant(len(mutants) + 1, folder, tests, *change))
    return mutants


def planted(mutants):
    """The files with all mistakes, by path."""
    files = {}
    for mutant in mutants:
        if mutant.path not in files:
            with open(os.path.join(ROOT, mutant.path), encoding="utf-8") as file:
                files[mutant.path] = file.read()
        files[mutant.path] = mutant.plant(files[mutant.path])
        files[f"Sources/{mutant.target}/Mutant.swift"] = SWITCH
    return files


def copy(mutants, scratch):
    """Copies the package with all mistakes; files that stay the same keep their dates, so that little is built again."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    wanted = {}
    # The versions of the dependencies, too.
    for path in listed.stdout.decode().split("\0") + ["Package.resolved"]:
        if path and os.path.isfile(os.path.join(ROOT, path)):
            with open(os.path.join(ROOT, path), "rb") as file:
                wanted[path] = file.read()
    wanted |= {path: text.encode() for path, text in planted(mutants).items()}
    for folder in ["Sources", "Tests"]:
        for parent, _, names in os.walk(os.path.join(scratch, folder)):
            for name in names:
                path = os.path.join(parent, name)
                if os.path.relpath(path, scratch) not in wanted:
                    os.remove(path)
    for path, content in wanted.items():
        target = os.path.join(scratch, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == content:
                    continue
        with open(target, "wb") as file:
            file.write(content)
        if os.path.exists(os.path.join(ROOT, path)):
            shutil.copymode(os.path.join(ROOT, path), target)


def test_command(scratch):
    """What runs the tests. SwiftPM takes ten seconds to find that there is nothing to build."""
    folder = subprocess.run(["swift", "build", "--show-bin-path", "--package-path", scratch], capture_output=True, text=True, check=True)
    program = os.path.join(folder.stdout.strip(), "pyramidPackageTests.xctest")
    if os.path.isfile(program):
        return [program, "--testing-library", "swift-testing"]
    return ["swift", "test", "--skip-build", "--package-path", scratch]


def run(command, tests, number, limit):
    """Runs tests up to the first that fails. Returns what went wrong, or None, and how many tests there were."""
    temporary = tempfile.mkdtemp(prefix="mutant-")
    environment = dict(os.environ, MUTANT=str(number), TMPDIR=temporary, NO_COLOR="1")
    process = subprocess.Popen(
        command + ["--filter", tests],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
    signal.alarm(int(limit))
    problem, count, last = None, 0, ""
    start = time.monotonic()
    for line in process.stdout:
        last = line.strip() or last
        if found := re.search(r"Test run with (\d+) tests", line):
            count = int(found[1])
        if found := re.search(r"✘ Test (.*?)(?: with \d+ argument.*?| recorded an issue.*| failed after.*)$", line):
            problem = found[1].strip()
            break
    if problem is not None:
        os.killpg(process.pid, signal.SIGKILL)
    status = process.wait()
    signal.alarm(0)
    shutil.rmtree(temporary, ignore_errors=True)
    if problem is None and time.monotonic() - start >= int(limit):
        problem = "it hangs"
    elif problem is None and status != 0:
        problem = "it crashes" if status < 0 or "signal" in last else last
    return problem, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="the numbers of some mutants, as 3,17")
    parser.add_argument("--list", action="store_true", help="show the mutants, check that each has its place, and run nothing")
    parser.add_argument("--scratch", default=os.path.join(ROOT, ".build", "mutants"))
    arguments = parser.parse_args()
    mutants = all_mutants()
    chosen = [int(number) for number in arguments.only.split(",")] if arguments.only else None
    meant = [mutant for mutant in mutants if chosen is None or mutant.number in chosen]
    if arguments.list:
        planted(mutants)
        for mutant in meant:
            print(f"{mutant.number:3} {mutant.path}: {mutant.change}")
        return

    copy(mutants, arguments.scratch)
    subprocess.run(["swift", "build", "--build-tests", "--package-path", arguments.scratch], check=True)
    command = test_command(arguments.scratch)

    # Measured when it is first asked for: most mutants are caught before the long tests.
    @functools.cache
    def limit(tests):
        start = time.monotonic()
        problem, count = run(command, tests, 0, 3600)
        if problem is not None or count == 0:
            sys.exit(f"without a mutant, of {count} tests of {tests} there fails: {problem}")
        seconds = time.monotonic() - start
        print(f"without a mutant, {count} tests of {tests} pass in {seconds:.0f} s", flush=True)
        return max(60, 10 * seconds)

    survivors = []
    for mutant in meant:
        problem = None
        for tests in mutant.tests:
            problem, _ = run(command, tests, mutant.number, limit(tests))
            if problem is not None:
                break
        if problem is None:
            survivors.append(mutant)
        result = f"caught: {problem}" if problem is not None else f"SURVIVES: {mutant.reason or 'no test notices'}"
        print(f"{mutant.number:3} {mutant.path}: {mutant.change}\n    {result}", flush=True)
    print(f"{len(meant)} mutants, {len(meant) - len(survivors)} caught")
    sys.exit(1 if any(mutant.reason is None for mutant in survivors) else 0)


if __name__ == "__main__":
    main()
