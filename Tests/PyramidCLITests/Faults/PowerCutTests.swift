import Foundation
import TestSupport
import Testing

/// Cuts the power at the system calls of builds: of a small file system in a file, on which a build stands still at a call, the
/// file is copied, which holds what has reached the disk by then and nothing else.
@Suite(
    .tags(.slow),
    .enabled(if: try FaultLibrary.requirement.isMet() && DiskImage.requirement.isMet()))
struct PowerCutTests {
    /// What the file system has written by itself before the cut.
    private enum Written: CaseIterable {
        case nothing
        /// Names and sizes.
        case journal
        case everything
    }

    @Test(
        arguments: isCampaign
            ? [FaultyBuild.Form.plain, .bundled, .bundling, .archive, .joinedBundles] : [.bundling, .archive])
    func `after a power cut there is the old version, the new one, or one that the next build repairs`(
        form: FaultyBuild.Form
    ) throws {
        let folder = try TemporaryFolder()
        let disk = try DiskImage(at: folder.path("disk"))
        let build = try FaultyBuild(form, place: folder.path("disk"))
        let callCount = try build.calls(from: .old).count
        try disk.mount()
        try build.begin(with: .old)
        try disk.unmount()
        try disk.save(as: "old")

        // The last calls are those that make the new version the one that is found.
        let cutCount = isCampaign ? 50 : 6
        let cuts = (0..<cutCount).map { 1 + $0 * callCount / cutCount } + Array(callCount - 3...callCount)
        var markedCount = 0
        for (number, call) in cuts.enumerated() {
            let written = number < cutCount ? Written.allCases[number % 3] : .nothing
            try disk.restore("old")
            try disk.mount(writesSoon: written == .journal)
            let outcome = try build.build(pausedAt: call) { process in
                switch written {
                case .nothing: break
                case .journal: usleep(1_500_000)
                case .everything: try disk.sync()
                }
                try disk.save(as: "cut")
                kill(process.processIdentifier, SIGKILL)
            }
            #expect(outcome.wasKilled)
            try disk.unmount()
            try disk.restore("cut")
            try disk.mount()
            if try build.tree().keys.contains("out/.building") { markedCount += 1 }
            try build.check(outcome, after: .old, "\(form), call \(call) of \(callCount), \(written) written")
            try disk.unmount()
        }
        // Else nothing was cut in the middle.
        #expect(form.isFile ? markedCount == 0 : 0 < markedCount && markedCount < cuts.count)

        // What a build reports to be done is on the disk.
        try disk.restore("old")
        try disk.mount()
        #expect(try build.build().exitCode == 0)
        try disk.save(as: "cut")
        try disk.unmount()
        try disk.restore("cut")
        try disk.mount()
        try build.checkIsNew()
    }
}
