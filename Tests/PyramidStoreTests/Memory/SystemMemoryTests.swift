import Foundation
import TestSupport
import Testing

@testable import PyramidStore

struct SystemMemoryTests {
    private static let meminfo = "MemTotal:       9000 kB\nMemFree:         100 kB\nMemAvailable:   5000 kB\n"

    /// What a system with these files says.
    private func bytes(
        _ files: [String: String], _ value: KeyPath<SystemMemory, Int> = \.availableBytes
    ) throws -> Int {
        let root = try TemporaryFolder()
        for (name, text) in files { try root.file(name, text) }
        return SystemMemory(root: root.path)[keyPath: value]
    }

    @Test func `what the system can give counts with what the process has`() throws {
        let files = ["proc/meminfo": SystemMemoryTests.meminfo]
        #expect(try bytes(files) == 5_000 * 1024)
        let status = ["proc/self/status": "VmRSS:\t  900 kB\nRssAnon:\t     70 kB\nRssFile:\t 830 kB\n"]
        #expect(try bytes(files.merging(status) { $1 }) == 5_070 * 1024)
    }

    @Test func `ten gigabytes and more are read as less are`() throws {
        #if os(Linux)
            let status = ["proc/self/status": "VmHWM:\t11225000 kB\nRssAnon:\t 9999999 kB\nRssFile:\t12345678 kB\n"]
            #expect(try bytes(status, \.peakBytes) == 11_225_000 * 1024)
        #endif
        let files = [
            "proc/meminfo": SystemMemoryTests.meminfo,
            "proc/self/status": "VmRSS:\t23456789 kB\nRssAnon:\t12345678 kB\n",
        ]
        #expect(try bytes(files, \.availableBytes) == 12_350_678 * 1024)
    }

    @Test func `a control group may give less`() throws {
        let second = [
            "proc/meminfo": SystemMemoryTests.meminfo, "proc/self/cgroup": "0::/jobs/night\n",
            "sys/fs/cgroup/jobs/night/memory.max": "max\n", "sys/fs/cgroup/jobs/night/memory.current": "700000\n",
            "sys/fs/cgroup/jobs/memory.max": "3000000\n", "sys/fs/cgroup/jobs/memory.current": "900000\n",
            "sys/fs/cgroup/jobs/memory.stat": "anon 1\ninactive_file 50000\nactive_file 4000\nshmem 7\n",
        ]
        #expect(try bytes(second) == 3_000_000 - 900_000 + 54_000)
        let first = [
            "proc/meminfo": SystemMemoryTests.meminfo, "proc/self/cgroup": "7:cpu:/a\n4:hugetlb,memory:/host/b\n",
            // The view from inside a container.
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "2000000\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": "1900000\n",
            "sys/fs/cgroup/memory/memory.stat": "inactive_file 1\ntotal_inactive_file 30000\ntotal_active_file 200\n",
        ]
        #expect(try bytes(first) == 130_200)
        // A group above its limit, and one whose limit exceeds the memory.
        #expect(
            try bytes(first.merging(["sys/fs/cgroup/memory/memory.usage_in_bytes": "2100000"]) { $1 }) == 0)
        let unlimited = ["sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712"]
        #expect(try bytes(first.merging(unlimited) { $1 }) == 5_000 * 1024)
    }

    @Test func `a system that doesn't tell has its physical memory`() throws {
        #if os(Linux)
            #expect(try bytes([:]) == Int(ProcessInfo.processInfo.physicalMemory))
        #endif
        #expect((1...Int(ProcessInfo.processInfo.physicalMemory) * 2).contains(SystemMemory().availableBytes))
    }
}
