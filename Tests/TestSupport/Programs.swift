#if os(macOS) || os(Linux)
    import Foundation

    extension TemporaryFolder {
        /// Writes a shell script that stands in for a program, and gives its path.
        @discardableResult
        package func program(_ name: String, _ script: String) throws -> String {
            let path = try file(name, "#!/bin/sh\n\(script)\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return path
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
