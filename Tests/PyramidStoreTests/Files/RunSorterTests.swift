import PyramidTiles
import TestSupport
import Testing

@testable import PyramidStore

/// Lists with less memory than they need.
struct RunSorterTests {
    private struct Row: SortableElement, Hashable {
        var key: UInt32
        var number: UInt64

        var sortKey: UInt128 { UInt128(key) << 64 | UInt128(number) }
    }

    /// Rows with few different keys, in no order.
    private static func rows(count: Int) -> [Row] {
        var random = SeededRandom(seed: UInt64(count))
        return (0..<count).map {
            Row(key: UInt32(random.next(below: 40)), number: UInt64(977 * $0 % 1009) << 33 | UInt64($0))
        }
    }

    /// From one element a run to one run with all of them but one.
    private static let budgets = [1, 16, 48, 160, 16 * 700, 16 * 2998, 16 * 3000, .max]

    @Test(arguments: budgets)
    func `rows come back in order, whatever the memory`(budgetBytes: Int) throws {
        let folder = try TemporaryFolder()
        let memory = ListMemory(budgetBytes: budgetBytes, folder: folder.path)
        for count in [0, 1, 2, 3, 5, 1000, 2000] {
            let rows = RunSorterTests.rows(count: count)
            let expected = rows.sorted { ($0.key, $0.number) < ($1.key, $1.number) }
            var sorter = RunSorter<Row>(memory)
            for row in rows.prefix(count / 3) { try sorter.append(row) }
            try sorter.append(Array(rows.dropFirst(count / 3)))
            var copy = sorter
            #expect(try Array(sorter.finish()) == expected, "\(count) rows")
            var visited: [Row] = []
            try copy.forEach { visited.append($0) }
            #expect(visited == expected, "\(count) rows")
        }
        #expect(try folder.names() == [])
        #expect(try folder.openPaths() == [])
    }

    /// Sorted by its key alone.
    private struct Keyed: SortableElement, Hashable {
        var key: UInt64
        var number: UInt64

        var sortKey: UInt64 { key }
    }

    @Test(arguments: budgets)
    func `rows with the same key stay in the order in which they came`(budgetBytes: Int) throws {
        let folder = try TemporaryFolder()
        var sorter = RunSorter<Keyed>(ListMemory(budgetBytes: budgetBytes, folder: folder.path))
        let rows = (0..<1000).map { Keyed(key: UInt64($0 * 7 % 5), number: UInt64($0)) }
        for row in rows { try sorter.append(row) }
        #expect(try Array(sorter.finish()) == rows.sorted { ($0.key, $0.number) < ($1.key, $1.number) })
    }

    @Test(arguments: budgets)
    func `rows with a key of their own are left out among shared ones`(budgetBytes: Int) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 45)
        for count in [0, 1, 2, 1000] {
            var sorter = RunSorter<Keyed>(ListMemory(budgetBytes: budgetBytes, folder: folder.path))
            let rows = (0..<count).map { Keyed(key: UInt64(random.next(below: count)), number: UInt64($0)) }
            for row in rows { try sorter.append(row) }
            var found: [[Keyed]] = []
            try sorter.forEachShared { found.append($0) }
            let expected = Dictionary(grouping: rows, by: \.key).values.filter { $0.count > 1 }
            #expect(found == expected.sorted { $0[0].key < $1[0].key }, "\(count) rows")
            #expect(count < 1000 || 0 < found.count && found.count < 800)
        }
    }

    @Test(arguments: budgets)
    func `rows that are in order already stay so`(budgetBytes: Int) throws {
        let folder = try TemporaryFolder()
        let rows = RunSorterTests.rows(count: 500).sorted { $0.sortKey < $1.sortKey }
        var sorter = RunSorter<Row>(ListMemory(budgetBytes: budgetBytes, folder: folder.path))
        for row in rows { try sorter.append(row) }
        #expect(try Array(sorter.finish()) == rows)
    }

    @Test(arguments: budgets)
    func `elements are kept in their order, and a table of them can be written anywhere`(budgetBytes: Int) throws {
        let folder = try TemporaryFolder()
        let memory = ListMemory(budgetBytes: budgetBytes, folder: folder.path)
        let rows = RunSorterTests.rows(count: 700)
        var spool = ElementSpool<Row>(memory)
        try spool.append(rows[0])
        try spool.append(rows[1..<300])
        for row in rows[300...] { try spool.append(row) }
        #expect(spool.count == 700)
        #expect(try Array(spool.finish()) == rows)

        let table = try ElementTable(count: 700, memory) { 3 * UInt64($0) }
        #expect((0..<700).allSatisfy { table[$0] == 3 * UInt64($0) })
        for index in 0..<700 { table[index * 37 % 700] = rows[index].number }
        #expect((0..<700).allSatisfy { table[$0 * 37 % 700] == rows[$0].number })
        _ = try ElementTable(count: 0, memory) { $0 }
    }

    @Test(arguments: [1, 300, .max])
    func `entries of several threads become a list that finds them`(budgetBytes: Int) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 5)
        var addresses: Set<FileAddress> = []
        while addresses.count < 900 {
            let zoom = random.next(below: 9)
            let (x, y) = (random.next(below: 1 << zoom), random.next(below: 1 << zoom))
            let tile = try #require(TileCoordinate(z: zoom, x: x, y: y))
            addresses.insert(random.next(below: 2) == 0 ? .tile(tile) : .bundle(tile))
        }
        let entries = addresses.sorted().shuffled(using: &random).map { address in
            FileList.Entry(
                address: address,
                file: StoredFile(
                    byteCount: address.tile.x % 1000 + 1, crc32: UInt32(random.next(below: 1 << 32)),
                    bodyByteCount: 7, bodyCRC32: 8))
        }
        let collector = FileListCollector(ListMemory(budgetBytes: budgetBytes, folder: folder.path))
        try SharedWork(jobs: 3).forEach(count: 30) {
        } _: { (_: inout Void, number: Int) throws in
            try collector.append(entries.indices.filter { $0 % 30 == number }.map { entries[$0] })
        }
        let (list, expected) = (try collector.finish(), FileList(entries))
        #expect(list == expected && list.encoded() == expected.encoded())
        for entry in entries { #expect(list.file(at: entry.address) == entry.file) }
        for kind in FileAddress.Kind.allCases {
            #expect(list[kind].elementsEqual(expected[kind]))
            for zoom in 0...9 {
                #expect(list.entries(of: kind, atZoom: zoom).elementsEqual(expected.entries(of: kind, atZoom: zoom)))
            }
        }
        #expect(ListDifference(from: FileList(Array(entries.prefix(800))), to: list).added.count == 100)
        #expect(ListDifference(from: list, to: expected).isEmpty)
    }

    @Test(.enabled(if: try SmallDisk.requirement.isMet()))
    func `a disk that is full is an error that names it`() throws {
        let disk = try SmallDisk("size=64k")
        let collector = FileListCollector(ListMemory(budgetBytes: 1000, folder: disk.folder.path))
        let entries = try (0..<4000).map { number in
            FileList.Entry(
                address: .tile(try #require(TileCoordinate(z: 12, x: number * 7919 % 4001, y: 7))),
                file: StoredFile(byteCount: 1, crc32: 2, bodyByteCount: 3, bodyCRC32: 4))
        }
        let error = #expect(throws: OutputError.self) { try collector.append(entries) }
        #expect(error?.kind == .failed && error?.description.hasPrefix("\(disk.folder.path): ") == true)
        #expect(error?.description.contains("No space left on device") == true)
        #expect(error?.description.contains("TMPDIR") == true)
    }
}
