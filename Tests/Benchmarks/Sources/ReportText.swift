import Foundation

/// What was measured on so many points, as tables.
struct ReportText {
    let results: Results
    let points: Int
    let inputBytes: [String: Int]

    /// What each work is compared with.
    private static let references: [String: String] = {
        var references = [Work.compressed: Work.floorGzip, Work.diskBuild: Work.diskFloorGzipFiles]
        for shape in OutputShape.allCases {
            let floor = shape.isArchive ? Work.floorGzipFile : Work.floorGzipFiles
            references[shape.name(Work.build)] = shape.name(floor)
            references[shape.name(Work.rebuild)] = shape.name(Work.build)
            references[shape.name(Work.verify)] = shape.name(Work.build)
        }
        return references
    }()

    var text: String {
        let tiles = results.runs(points, Work.encoded).first?.tiles ?? 0
        return """

            == \(points) points, \(tiles) tiles; medians

            \(works)
            \(stages)
            \(targets)
            """
    }

    private var works: String {
        var table = TextTable([
            "work", "seconds", "least", "most", "CPU s", "peak MB", "own MB", "own B/point", "ratio", "CPU ratio", "to",
        ])
        var seen: Set<String> = []
        for one in results.measurements where one.points == points && seen.insert(one.data + one.work).inserted {
            let runs = results.runs(points, one.work, one.data)
            let seconds = runs.map(\.seconds)
            let peak = runs.compactMap(\.peakBytes).map(Double.init).median / 1e6
            let own = runs.compactMap(\.peakOwnBytes).map(Double.init).median
            let reference = one.data == DataSet.usual ? ReportText.references[one.work] : nil
            table.add([
                one.data == DataSet.usual ? one.work : "\(one.work) (\(one.data))", seconds.median.text(digits: 3),
                (seconds.min() ?? .nan).text(digits: 3), (seconds.max() ?? .nan).text(digits: 3),
                cell(runs.compactMap(\.cpuSeconds).median, digits: 3), cell(peak, digits: 0),
                cell(own / 1e6, digits: 0), cell(own / Double(points), digits: 0),
                cell(reference.map { results.ratio(points, one.work, to: $0) } ?? .nan, digits: 2),
                cell(reference.map { results.ratio(points, one.work, to: $0, \.cpuSeconds) } ?? .nan, digits: 2),
                reference ?? "",
            ])
        }
        return table.text
    }

    /// By stage. What gzip and files take is the difference of whole builds.
    private var stages: String {
        var table = TextTable(["stage, seconds", "2 jobs", "1 job", "speed-up", "uniform", "NDJSON"])
        let byZoom = (results.runs(points, Work.encoded).first?.stages ?? [:]).keys
            .filter { $0.hasPrefix("\(StageClock.clustering) ") }
            .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        let stages =
            [StageClock.reading, StageClock.sorting, StageClock.clustering] + byZoom
            + [StageClock.markers, StageClock.tiles]
        for stage in stages {
            let two = results.seconds(points, stage: stage, Work.encoded)
            let one = results.seconds(points, stage: stage, Work.encodedByOne)
            table.add(
                [stage == StageClock.tiles ? "encoding" : stage, two.text(digits: 3), one.text(digits: 3)]
                    + [cell(one / two, digits: 2)]
                    + [DataSet.uniform, DataSet.ndjson].map {
                        cell(results.seconds(points, stage: stage, Work.encoded, $0), digits: 3)
                    })
        }
        let rates = [DataSet.usual, DataSet.uniform, DataSet.ndjson].map { data in
            let seconds = results.seconds(points, stage: StageClock.reading, Work.encoded, data)
            return cell(Double(inputBytes[data] ?? 0) / seconds / 1e6, digits: 0)
        }
        let oneRate =
            Double(inputBytes[DataSet.usual] ?? 0)
            / results.seconds(points, stage: StageClock.reading, Work.encodedByOne) / 1e6
        table.add(["reading, MB/s", rates[0], cell(oneRate, digits: 0), ""] + rates.dropFirst())
        let gzip = difference(Work.compressed, Work.encoded)
        let gzipByOne = difference(Work.compressedByOne, Work.encodedByOne)
        table.add(
            ["gzip", gzip.text(digits: 3), gzipByOne.text(digits: 3), cell(gzipByOne / gzip, digits: 2), "", ""])
        table.add(["files", cell(difference(Work.build, Work.compressed), digits: 3), "", "", "", ""])
        return table.text
    }

    private func difference(_ work: String, _ less: String) -> Double {
        results.seconds(points, work) - results.seconds(points, less)
    }

    private var targets: String {
        var table = TextTable(["target", "measured", "at most", ""])
        func add(_ name: String, _ value: Double, atMost limit: Double) {
            guard value.isFinite else { return }
            table.add([name, value.text(digits: 2), limit.text(digits: 2), value <= limit ? "yes" : "NO"])
        }
        let encoded = results.seconds(points, Work.encoded)
        if points == 1_000_000 { add("encoded, seconds", encoded, atMost: 1.5) }
        if points == 10_000_000 {
            add("encoded, seconds", encoded, atMost: 12)
            add("encoded, to 1 million points", encoded / results.seconds(1_000_000, Work.encoded), atMost: 12)
        }
        add("gzipped and dropped, to the floor", ratio(Work.compressed, Work.floorGzip), atMost: 1.15)
        add("build, to the floor", ratio(Work.build, Work.floorGzipFiles), atMost: 1.2)
        add("second build, to the first", ratio(Work.rebuild, Work.build), atMost: 0.5)
        add("verify, to the build", ratio(Work.verify, Work.build), atMost: 1)
        let bundled = OutputShape.bundled.name(Work.build)
        add("\(bundled), to the plain build", ratio(bundled, Work.build), atMost: 0.3)
        if points == 1_000_000 { add("\(bundled), seconds", results.seconds(points, bundled), atMost: 4) }
        add(
            "\(OutputShape.bundled.name(Work.rebuild)), to the first",
            ratio(OutputShape.bundled.name(Work.rebuild), bundled), atMost: 0.6)
        add(
            "\(OutputShape.filtered.name(Work.build)), to without filters",
            ratio(OutputShape.filtered.name(Work.build), bundled), atMost: 1.35)
        let archive = OutputShape.archive.name(Work.build)
        add("\(archive), to the plain build", ratio(archive, Work.build), atMost: 0.5)
        add("\(archive), to the floor", ratio(archive, OutputShape.archive.name(Work.floorGzipFile)), atMost: 1.35)
        let vectors = OutputShape.vectorArchive.name(Work.build)
        add("\(vectors), to that of GeoJSON", ratio(vectors, archive), atMost: 1)
        for shape in OutputShape.allCases where shape != .plain {
            let verify = shape.name(Work.verify)
            add("\(verify), to the build", ratio(verify, shape.name(Work.build)), atMost: 1)
        }
        // A second build has the list of the earlier files beside its own: 40 bytes a point, with more tiles than points.
        for (work, limit) in [(Work.compressed, 80.0), (Work.build, 80), (Work.rebuild, 120)] {
            let own = results.runs(points, work).compactMap(\.peakOwnBytes).map(Double.init).median
            add("\(work): bytes a point beyond 64 MB", max(own - 64e6, 0) / Double(points), atMost: limit)
        }
        // One thread collects the markers of a zoom, and the low zooms are too small for two: a tenth of this work.
        let (encoding, gzip) = (
            results.ratio(points, Work.encoded, to: Work.encodedByOne),
            results.ratio(points, Work.compressed, to: Work.compressedByOne)
        )
        add("encoded, 2 jobs to 1, seconds", encoding, atMost: 1 / 1.5)
        add("gzipped and dropped, 2 jobs to 1, seconds", gzip, atMost: 1 / 1.8)
        return table.text
    }

    /// Of the seconds of the cores: what a disk and other programs let a work wait changes from run to run.
    private func ratio(_ work: String, _ other: String) -> Double {
        results.ratio(points, work, to: other, \.cpuSeconds)
    }

    private func cell(_ value: Double, digits: Int) -> String { value.isFinite ? value.text(digits: digits) : "" }
}
