import Foundation

/// The library of `Tests/Faults`, which makes system calls of the program fail; compiled once.
enum FaultLibrary {
    /// `nil` where it can't be used: it needs Linux and a C compiler.
    static let path: String? = compile()

    static let isMissing = path == nil

    /// The environment of a program whose counted calls from `number` on meet a fault.
    static func environment(
        _ fault: String, at number: Int, count: Int = 1, logPath: String? = nil
    ) -> [String: String] {
        var environment = [
            "LD_PRELOAD": path ?? "", "FAULT": fault, "FAULT_AT": "\(number)", "FAULT_FOR": "\(count)",
        ]
        environment["FAULT_LOG"] = logPath
        return environment
    }

    /// The environment of a program that can start only so many threads.
    static func environment(threads: Int) -> [String: String] {
        ["LD_PRELOAD": path ?? "", "FAULT_THREADS": "\(threads)"]
    }

    private static func compile() -> String? {
        #if os(Linux)
            let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Faults/faults.c").standardized.path
            let library = CommandLineProgram.productsFolder.appendingPathComponent("faults.so").path
            for compiler in ["cc", "clang", "gcc"] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = [compiler, "-Wall", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"]
                guard (try? process.run()) != nil else { continue }
                process.waitUntilExit()
                if process.terminationStatus == 0 { return library }
            }
        #endif
        print("no faults are injected: that needs Linux and a C compiler")
        return nil
    }
}
