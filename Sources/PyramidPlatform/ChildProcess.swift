// Apps on iPhones and the like can't start programs.
#if os(macOS) || os(Linux)
    /// Another program that this one runs, with an empty standard input.
    package struct ChildProcess: Sendable {
        private let id: pid_t

        /// Starts a program in its own process group, so that Ctrl-C ends only this process.
        /// - Parameters:
        ///   - path: the program's file.
        ///   - arguments: without the program's name.
        ///   - environment: the whole environment; nothing is inherited.
        ///   - standardOutput: an open file; `nil` discards what is written.
        ///   - standardError: an open file; `nil` discards what is written.
        /// - Throws: ``Failure``
        package init(
            path: String, _ arguments: [String], environment: [String: String], standardOutput: Int32? = nil,
            standardError: Int32? = nil
        ) throws(Failure) {
            #if canImport(Darwin)
                var (attributes, actions): (posix_spawnattr_t?, posix_spawn_file_actions_t?)
                let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
            #else
                var (attributes, actions) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
                let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
            #endif
            posix_spawnattr_init(&attributes)
            posix_spawn_file_actions_init(&actions)
            defer {
                posix_spawnattr_destroy(&attributes)
                posix_spawn_file_actions_destroy(&actions)
            }
            // Otherwise the program inherits this thread's signal mask. Pool threads block all signals, so SIGTERM
            // wouldn't reach the program.
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setflags(&attributes, Int16(flags))
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            for (descriptor, file) in [(STDOUT_FILENO, standardOutput), (STDERR_FILENO, standardError)] {
                if let file {
                    posix_spawn_file_actions_adddup2(&actions, file, descriptor)
                } else {
                    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
                }
            }
            #if !canImport(Darwin)
                // The program must not keep this process's files and sockets open. Swift's headers lack the function.
                typealias AddCloseFrom =
                    @convention(c) (
                        UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
                    ) -> Int32
                if let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
                    _ = unsafeBitCast(symbol, to: AddCloseFrom.self)(&actions, STDERR_FILENO + 1)
                }
            #endif
            let words = ([path] + arguments).map { strdup($0) }
            let variables = environment.map { strdup("\($0)=\($1)") }
            defer { for text in words + variables { free(text) } }
            var id: pid_t = 0
            let code = posix_spawn(&id, path, &actions, &attributes, words + [nil], variables + [nil])
            guard code == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(code)))") }
            self.id = id
        }

        /// Why a program can't be started.
        package struct Failure: Error, CustomStringConvertible {
            package let description: String
        }

        /// Sends SIGTERM to the program and to those that it has started. Must not be called after ``exitCode()``: the id
        /// may belong to another process by then.
        package func terminate() { kill(-id, SIGTERM) }

        /// Waits for the program to end. ``terminate()`` may still be called afterwards.
        package func waitForEnd() {
            var information = siginfo_t()
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        }

        /// Waits for the program to end, and releases its process id. Must be called exactly once.
        /// - Returns: the exit code, or the number of the signal that ended the program.
        package func exitCode() -> Int32 {
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            // The lowest seven bits hold the signal.
            return status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
        }
    }

    /// A pipe from a program to a thread of this process.
    package final class ProcessPipe {
        package let reading: Int32
        private var open: Int32?

        package init() throws(ChildProcess.Failure) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else {
                throw ChildProcess.Failure(description: "can't create a pipe: \(String(cString: strerror(errno)))")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, open) = (ends[0], ends[1])
        }

        deinit {
            closeWriting()
            close(reading)
        }

        /// The end for the program to write to; `nil` once this process has closed it.
        package var writing: Int32? { open }

        /// Closes this process's copy of the writing end. The stream ends once the program has closed its copy too.
        package func closeWriting() {
            if let open { close(open) }
            open = nil
        }
    }
#endif
