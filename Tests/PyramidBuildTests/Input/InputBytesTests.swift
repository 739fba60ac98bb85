import Foundation
import Testing

@testable import PyramidBuild

struct InputBytesTests {
    /// A directory of its own for a test, removed afterwards.
    private func withDirectory(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory)
    }

    private func gzip(_ content: Data, in directory: URL) throws -> Data {
        let file = directory.appendingPathComponent("plain")
        try content.write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
        process.arguments = ["-c", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    private func bytes(_ data: Data, in directory: URL) throws -> [UInt8] {
        let file = directory.appendingPathComponent("t.csv")
        try data.write(to: file)
        return try InputBytes(path: file.path).withUnsafeBytes { Array($0) }
    }

    @Test func `a plain file shows its bytes and the path that the user gave`() throws {
        try withDirectory { directory in
            let file = directory.appendingPathComponent("cities.csv")
            try Data("lat,lon\n1,2".utf8).write(to: file)
            let input = try InputBytes(path: file.path)
            #expect(input.name == file.path)
            #expect(input.withUnsafeBytes { Array($0) } == Array("lat,lon\n1,2".utf8))
            let empty = try bytes(Data(), in: directory)
            #expect(empty.isEmpty)
        }
    }

    @Test func `gzip data of several members is inflated whole`() throws {
        try withDirectory { directory in
            var random = SeededRandom(seed: 5)
            let first = Data((0..<700_001).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            let second = Data(String(repeating: "51.25,-3.5\n", count: 100_000).utf8)
            let members = try [first, second, Data(), Data("end".utf8)].map { try gzip($0, in: directory) }
            let inflated = try bytes(members.reduce(Data(), +), in: directory)
            #expect(inflated == Array(first + second + Data("end".utf8)))
        }
    }

    @Test func `damaged gzip data is bad data`() throws {
        try withDirectory { directory in
            let data = try gzip(Data(String(repeating: "lat,lon\n1,2\n", count: 50).utf8), in: directory)
            var flipped = data
            flipped[data.count - 6] ^= 1
            for (damaged, problem) in [
                (data.dropLast(1), "gzip data ends too early"), (data.prefix(20), "gzip data ends too early"),
                (data + Data("rest".utf8), "bytes follow the end of the gzip data"),
                (flipped, "gzip data is corrupt (incorrect data check)"),
            ] {
                let error = #expect(throws: InputError.self) { try bytes(Data(damaged), in: directory) }
                #expect(error?.kind == .badData)
                #expect(error?.description == "\(directory.appendingPathComponent("t.csv").path): \(problem)")
            }
        }
    }

    @Test func `a pipe is read to its end`() throws {
        try withDirectory { directory in
            let path = directory.appendingPathComponent("pipe").path
            #expect(mkfifo(path, 0o600) == 0)
            let content = Data(String(repeating: "7,8\n", count: 100_000).utf8)
            let writer = Thread {
                let handle = FileHandle(forWritingAtPath: path)
                try? handle?.write(contentsOf: content)
                try? handle?.close()
            }
            writer.start()
            let read = try InputBytes(path: path).withUnsafeBytes { Array($0) }
            #expect(read == Array(content))
        }
    }

    @Test func `a directory and a missing file are missing`() throws {
        try withDirectory { directory in
            for path in [directory.path, directory.path + "/none.csv"] {
                let error = #expect(throws: InputError.self) { try InputBytes(path: path) }
                #expect(error?.kind == .missing)
            }
        }
    }
}
