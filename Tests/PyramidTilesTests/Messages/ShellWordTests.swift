import Foundation
import PyramidTiles
import TestSupport
import Testing

struct ShellWordTests {
    @Test(arguments: [
        ("out/map-1.2", "out/map-1.2"), ("my map", "'my map'"), ("it's", "'it'\\''s'"), ("", "''"), ("'", "''\\'''"),
        ("$(reboot)", "'$(reboot)'"), ("-x", "'-x'"), ("Straße", "'Straße'"), ("~", "'~'"), ("a\nb\\", "'a\nb\\'"),
        ("a@b", "'a@b'"), ("a[b]{c}`d`|&;<>*?!#\"", "'a[b]{c}`d`|&;<>*?!#\"'"), ("Z_9", "Z_9"),
    ])
    func `a text is one word for a shell`(text: String, word: String) throws {
        #expect(ShellWord.quoted(text) == word)
        #expect(ShellWord.isPlain(text) == (text == word))
        #expect(try said(by: word) == text)
    }

    @Test func `a path is no option`() throws {
        #expect(ShellWord.path("-x") == "./-x")
        #expect(try said(by: ShellWord.path("-it's")) == "./-it's")
        #expect(ShellWord.path("x-") == "x-")
    }

    private func said(by word: String) throws -> String {
        String(decoding: try run("sh", ["-c", "printf %s \(word)"]).output, as: UTF8.self)
    }
}
