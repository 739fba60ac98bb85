#if os(macOS) || os(Linux)
    import Foundation
    import Testing

    @testable import PyramidPlatform

    struct ChildProcessTests {
        private static func shell(
            _ script: String, environment: [String: String] = [:], standardOutput: Int32? = nil
        ) throws -> ChildProcess {
            try ChildProcess(
                path: "/bin/sh", ["-c", script], environment: environment, standardOutput: standardOutput)
        }

        @Test(arguments: [0, 3, 255])
        func `the exit code of a program is its own`(code: Int32) throws {
            #expect(try ChildProcessTests.shell("exit \(code)").exitCode() == code)
        }

        @Test func `a program that another library starts doesn't hold the pipe open`() throws {
            let pipe = try ProcessPipe()
            for end in [pipe.reading, try #require(pipe.writing)] {
                #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
            }
        }

        @Test func `a program that a signal ended has its number as exit code`() throws {
            #expect(try ChildProcessTests.shell("kill -9 $$").exitCode() == SIGKILL)
        }

        @Test func `what a program writes comes through the pipe, and ends with it`() throws {
            let pipe = try ProcessPipe()
            let process = try ChildProcessTests.shell(
                "cat; echo $WORD; echo no >&2", environment: ["WORD": "grün"], standardOutput: pipe.writing)
            pipe.closeWriting()
            let read = FileHandle(fileDescriptor: dup(pipe.reading), closeOnDealloc: true).readDataToEndOfFile()
            #expect(String(decoding: read, as: UTF8.self) == "grün\n")
            #expect(process.exitCode() == 0)
        }

        @Test func `a program doesn't hold on to the files of this one`() throws {
            let open = fcntl(STDERR_FILENO, F_DUPFD, 100)
            defer { close(open) }
            try #require(open >= 100)
            let pipe = try ProcessPipe()
            let script = "ls /dev/fd"
            let process = try ChildProcessTests.shell(
                script, environment: ["PATH": "/usr/bin:/bin"], standardOutput: pipe.writing)
            pipe.closeWriting()
            let read = FileHandle(fileDescriptor: dup(pipe.reading), closeOnDealloc: true).readDataToEndOfFile()
            let names = String(decoding: read, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
            // The last one is the directory that ls reads.
            #expect(names.contains(STDERR_FILENO) && names.allSatisfy { $0 <= STDERR_FILENO + 1 }, "\(names)")
            #expect(process.exitCode() == 0)
        }

        @Test func `a program can be terminated though the thread that started it blocks the signal`() throws {
            var (blocked, before) = (sigset_t(), sigset_t())
            sigemptyset(&blocked)
            sigaddset(&blocked, SIGTERM)
            pthread_sigmask(SIG_BLOCK, &blocked, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            let process = try ChildProcess(path: "/bin/sleep", ["60"], environment: [:])
            process.terminate()
            process.waitForEnd()
            #expect(process.exitCode() == SIGTERM)
        }

        @Test func `a program that isn't there is an error that names it`() {
            let error = #expect(throws: ChildProcess.Failure.self) {
                try ChildProcess(path: "/no/such/program", [], environment: [:])
            }
            #expect(error?.description == "/no/such/program: No such file or directory")
        }
    }
#endif
