import Foundation
import TestSupport

/// The library of `Tests/Faults`, which makes system calls of the program fail; compiled once.
enum FaultLibrary {
    /// `nil` where it can't be used.
    private static let path: String? = compile("faults")

    static let requirement = Requirement(
        "Linux, a C compiler, and a folder without a space in its path", isThere: path != nil)

    /// The environment of a program whose counted calls from `number` on meet a fault.
    /// - Parameter call: the name of the only calls that count; all that write unless given.
    static func environment(
        _ fault: String, at number: Int, of call: String? = nil, count: Int = 1, logPath: String? = nil
    ) -> [String: String] {
        var environment = [
            "LD_PRELOAD": path ?? "", "FAULT": fault, "FAULT_AT": "\(number)", "FAULT_FOR": "\(count)",
        ]
        environment["FAULT_CALL"] = call
        environment["FAULT_LOG"] = logPath
        return environment
    }

    /// The environment of a program that can start only so many threads.
    static func environment(threads: Int) -> [String: String] {
        ["LD_PRELOAD": path ?? "", "FAULT_THREADS": "\(threads)"]
    }

    /// The environment of a program that writes into a file how many bytes it had allocated at most, at one time.
    static func environment(memoryLogPath: String) -> [String: String] {
        ["LD_PRELOAD": memoryPath ?? "", "MEMORY_LOG": memoryLogPath]
    }

    private static let memoryPath: String? = compile("memory")

    /// Compiles a library of `Tests/Faults`.
    private static func compile(_ name: String) -> String? {
        #if os(Linux)
            let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Faults/\(name).c").standardized.path
            let library = CommandLineProgram.productsFolder.appendingPathComponent("\(name).so").path
            // They end a name in LD_PRELOAD.
            if library.contains(where: { " :".contains($0) }) { return nil }
            for compiler in ["cc", "clang", "gcc"] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = [compiler, "-Wall", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"]
                guard (try? process.run()) != nil else { continue }
                process.waitUntilExit()
                if process.terminationStatus == 0 { return library }
            }
        #endif
        return nil
    }
}
