#if os(macOS) || os(Linux)
    import Foundation

    extension TemporaryFolder {
        /// Writes a shell script that stands in for a program, and gives its path.
        ///
        /// Another process makes the file. If this one did, a process that another test is starting right then could hold it
        /// open for writing, and it couldn't be run: "text file busy".
        @discardableResult
        package func program(_ name: String, _ script: String) throws -> String {
            let text = try file(name + ".text", "#!/bin/sh\n\(script)\n")
            let made = try run("install", ["-m", "755", text, path(name)])
            precondition(made.status == 0, "install can't write \(path(name))")
            try FileManager.default.removeItem(atPath: text)
            return path(name)
        }
    }

    /// Runs the system's gzip.
    package func gzip(_ arguments: String...) throws -> (status: Int32, output: Data) {
        try run("gzip", arguments)
    }

    /// Runs a program of the system.
    package func run(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder? = nil
    ) throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        if let folder { process.currentDirectoryURL = folder.url }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
#endif
