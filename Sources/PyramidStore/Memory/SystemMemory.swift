import PyramidPlatform

/// The memory of the system and of this process. On Linux, it reads `/proc` and the process's control groups (versions
/// 1 and 2), which set the limits of containers; on Darwin, the kernel's statistics.
package struct SystemMemory {
    /// The directory that contains `proc` and `sys`.
    let root: String

    package init(root: String = "") { self.root = root }

    /// The peak memory of this process.
    package var peakBytes: Int {
        #if canImport(Darwin)
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            // Not from getrusage, which includes the program that this one has replaced, such as `swift run`.
            return kilobytes("VmHWM", in: "proc/self/status") ?? 0
        #endif
    }

    /// How large this process may become, its present memory included, before the system swaps or a control group kills
    /// it. The physical memory if that isn't known.
    package var availableBytes: Int {
        linuxAvailableBytes ?? darwinAvailableBytes ?? Int(ProcessInfo.processInfo.physicalMemory)
    }

    #if canImport(Darwin)
        /// Free, file-backed and purgeable memory: everything but what Activity Monitor calls "Memory Used".
        private var darwinAvailableBytes: Int? {
            var (statistics, pageBytes) = (vm_statistics64_data_t(), vm_size_t())
            let words = MemoryLayout<vm_statistics64_data_t>.size / MemoryLayout<integer_t>.size
            var count = mach_msg_type_number_t(words)
            let host = mach_host_self()
            let result = withUnsafeMutablePointer(to: &statistics) {
                $0.withMemoryRebound(to: integer_t.self, capacity: words) {
                    host_statistics64(host, HOST_VM_INFO64, $0, &count)
                }
            }
            guard result == KERN_SUCCESS, host_page_size(host, &pageBytes) == KERN_SUCCESS else { return nil }
            let pages =
                Int(statistics.free_count) + Int(statistics.external_page_count) + Int(statistics.purgeable_count)
            return pages * Int(pageBytes) + darwinOwnBytes
        }

        /// This process's memory without mapped files; 0 if it isn't known.
        private var darwinOwnBytes: Int {
            var usage = rusage_info_v0()
            let result = withUnsafeMutablePointer(to: &usage) {
                $0.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
                    proc_pid_rusage(getpid(), RUSAGE_INFO_V0, $0)
                }
            }
            return result == 0 ? Int(usage.ri_phys_footprint) : 0
        }
    #else
        private var darwinAvailableBytes: Int? { nil }
    #endif

    /// `nil` without `/proc`.
    private var linuxAvailableBytes: Int? {
        let ownBytes = kilobytes("RssAnon", in: "proc/self/status") ?? 0
        let systemBytes = kilobytes("MemAvailable", in: "proc/meminfo").map { $0 + ownBytes }
        let groupBytes = controlGroups.compactMap(freeBytes).min().map { $0 + ownBytes }
        return [systemBytes, groupBytes].compactMap(\.self).min()
    }

    /// The files of a control group, whose names depend on its version.
    private struct ControlGroup {
        let directory: String
        let limit, usage: String
        /// Counters of cached file data, which the kernel can drop.
        let cache: [String]
    }

    /// The process's control groups and all their parents, as each can have a limit.
    private var controlGroups: [ControlGroup] {
        let lines = text("proc/self/cgroup")?.split(separator: "\n") ?? []
        return lines.flatMap { line -> [ControlGroup] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            let isSecondVersion = fields[0] == "0" && fields[1].isEmpty
            guard isSecondVersion || fields[1].split(separator: ",").contains("memory") else { return [] }
            let names = fields[2].split(separator: "/")
            // In a container, the path may be the host's and not exist here. Then the top group is the container's own.
            return (0...names.count).map { depth in
                let path = names.prefix(depth).map { "/\($0)" }.joined()
                return isSecondVersion
                    ? ControlGroup(
                        directory: "sys/fs/cgroup\(path)", limit: "memory.max", usage: "memory.current",
                        cache: ["inactive_file", "active_file"])
                    : ControlGroup(
                        directory: "sys/fs/cgroup/memory\(path)", limit: "memory.limit_in_bytes",
                        usage: "memory.usage_in_bytes", cache: ["total_inactive_file", "total_active_file"])
            }
        }
    }

    /// The unused part of a group's limit; `nil` if the group has no limit.
    private func freeBytes(of group: ControlGroup) -> Int? {
        guard let limit = number("\(group.directory)/\(group.limit)"),
            let usage = number("\(group.directory)/\(group.usage)")
        else { return nil }
        let statistics = text("\(group.directory)/memory.stat")?.split(separator: "\n") ?? []
        let cached = statistics.reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard words.count == 2, group.cache.contains(String(words[0])) else { return sum }
            return sum + (Int(words[1]) ?? 0)
        }
        return max(limit - max(usage - cached, 0), 0)
    }

    /// The number in a line such as "Name:   123 kB", in bytes. It may follow a tab, or the colon at once if it is
    /// large.
    private func kilobytes(_ name: String, in path: String) -> Int? {
        let line = text(path)?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    private func number(_ path: String) -> Int? {
        text(path).flatMap { Int($0.prefix { !$0.isWhitespace }) }
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
}
