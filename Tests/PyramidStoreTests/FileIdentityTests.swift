import Foundation
import TestSupport
import Testing

@testable import PyramidStore

struct FileIdentityTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
        for name in ["a/b/file", "a/other/file", "ab/file"] { try scratch.file(name, "") }
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("link"), withDestinationPath: scratch.path("a"))
    }

    private func chain(_ name: String) -> FolderChain { FolderChain(scratch.path(name)) }

    @Test(arguments: [
        ("a", "a/b", true), ("a/b", "link/b", true), ("a/b", "link/b/new/newer", true), ("link", "a/../a/b", true),
        ("a/b", "nothing/../link", true), ("a", "ab", false), ("a/b", "a/other", false), ("a/b", "a/new", false),
        ("a/b", "nothing", false),
    ])
    func `folders overlap if one is the other or lies in it`(one: String, other: String, overlap: Bool) {
        #expect(chain(one).overlaps(chain(other)) == overlap)
        #expect(chain(other).overlaps(chain(one)) == overlap)
    }

    @Test func `a folder is the same by every path, and one that does not exist is none`() {
        #expect(chain("a/b").isSame(as: chain("link/b")) && !chain("a/b").isSame(as: chain("a")))
        #expect(!chain("new").isSame(as: chain("new")))
    }
}
