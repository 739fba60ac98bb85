import PyramidTiles

/// Finds line numbers on demand, so that readers needn't count lines. Queries in ascending order take one pass over the
/// input in total.
struct LineCounter {
    private var position = 0
    private var line = 1

    /// The number of the line containing the byte at `offset`, counted from 1; `offset` must never decrease.
    mutating func line(at offset: Int, in bytes: Span<UInt8>) -> Int {
        while position < offset {
            // Eight bytes at a time, unless they contain a carriage return.
            if position + 8 <= offset {
                let text = EightBytes(word: bytes.bytes.word(at: position))
                if text.count(of: UInt8(ascii: "\r")) == 0 {
                    line += text.count(of: UInt8(ascii: "\n"))
                    position += 8
                    continue
                }
            }
            let byte = bytes[position]
            let isCarriageReturn = byte == UInt8(ascii: "\r")
            let isPair =
                isCarriageReturn && position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n")
            if byte == UInt8(ascii: "\n") || isCarriageReturn && !isPair { line += 1 }
            position += 1
        }
        return line
    }
}

extension Span<UInt8> {
    /// The position after the line end at `position`; at the end of the bytes, `position` itself.
    func afterLineEnd(at position: Int) -> Int {
        guard position < count else { return position }
        let isPair =
            self[position] == UInt8(ascii: "\r") && position + 1 < count && self[position + 1] == UInt8(ascii: "\n")
        return position + (isPair ? 2 : 1)
    }

    /// The position of the first line end at or after `position`, even if it is quoted, or the end of the bytes.
    package func lineEnd(from position: Int) -> Int {
        var position = position
        while position < count, !self[position].isLineEnd { position += 1 }
        return position
    }

    /// The position after that line end.
    func nextLine(after position: Int) -> Int { afterLineEnd(at: lineEnd(from: position)) }

    /// The lines in a range that begins and ends with one.
    func lines(in range: Range<Int>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = range.lowerBound
        while start < range.upperBound {
            lines.append(start..<Swift.min(lineEnd(from: start), range.upperBound))
            start = nextLine(after: start)
        }
        return lines
    }
}

extension UInt8 {
    @inline(__always)
    var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
