import Foundation

/// What the system says of its memory. On Linux it is read from `/proc` and from the control groups of the process
/// (versions 1 and 2), which is where containers have their limits.
struct SystemMemory {
    /// The directory that has `proc` and `sys`.
    var root = ""

    /// How much this process may come to in all, what it holds already included: until the system has to swap, or until
    /// a control group ends it. The physical memory where the system doesn't tell.
    var availableBytes: Int {
        let ownBytes = kilobytes("RssAnon", in: "proc/self/status") ?? 0
        let systemBytes = kilobytes("MemAvailable", in: "proc/meminfo").map { $0 + ownBytes }
        let groupBytes = controlGroups.compactMap(freeBytes).min().map { $0 + ownBytes }
        return [systemBytes, groupBytes].compactMap(\.self).min() ?? Int(ProcessInfo.processInfo.physicalMemory)
    }

    /// The files of a control group, by the names that they have in either version.
    private struct ControlGroup {
        let directory: String
        let limit, usage: String
        /// Of the files that are kept in memory, which can be dropped.
        let cache: [String]
    }

    /// The process's groups and those around them, each of which may have a limit.
    private var controlGroups: [ControlGroup] {
        let lines = text("proc/self/cgroup")?.split(separator: "\n") ?? []
        return lines.flatMap { line -> [ControlGroup] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            let isSecondVersion = fields[0] == "0" && fields[1].isEmpty
            guard isSecondVersion || fields[1].split(separator: ",").contains("memory") else { return [] }
            let names = fields[2].split(separator: "/")
            // In a container the path may be the host's, which is not there; the group at the top is then its own.
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

    /// What is left of a group's limit; `nil` where it has none.
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

    /// "Name:   123 kB", in bytes.
    private func kilobytes(_ name: String, in path: String) -> Int? {
        let line = text(path)?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    private func number(_ path: String) -> Int? {
        text(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
}
