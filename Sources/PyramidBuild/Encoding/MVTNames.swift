import PyramidTiles

/// The names of all properties so far, numbered in order of first appearance.
struct MVTNames: ~Copyable {
    /// As JSON, with quotes and colon.
    private var quoted: [[UInt8]] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// The names encoded as keys of a layer, one after another.
    private var keys = ByteBuffer(capacity: 1024)
    private var keyRanges: [Range<Int>] = []

    var count: Int { quoted.count }

    /// The number of a name, which is added if it is new.
    /// - Parameter guess: the number that is tried first.
    mutating func number(of quotedName: UnsafeRawBufferPointer, guess: Int) -> Int {
        if guess < quoted.count, isName(guess, quotedName) { return guess }
        // Features mostly have the same few properties.
        if quoted.count <= 16 {
            for number in quoted.indices where isName(number, quotedName) { return number }
        } else if let number = numbers[Array(quotedName)] {
            return number
        }
        return add(Array(quotedName))
    }

    private func isName(_ number: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        quoted[number].withUnsafeBytes { $0.isSame(as: name) }
    }

    private mutating func add(_ quotedName: [UInt8]) -> Int {
        let text = JSONText(range: 1..<quotedName.count - 2, hasEscapes: true)
        let name = quotedName.withUnsafeBufferPointer { $0.span.unescaped(text) }
        let start = keys.count
        keys.append(MVT.key(3, .bytes))
        keys.append(varint: UInt64(name.count))
        keys.append(name)
        keyRanges.append(start..<keys.count)
        numbers[quotedName] = quoted.count
        quoted.append(quotedName)
        return quoted.count - 1
    }

    /// Appends the key of a layer for a name.
    func appendKey(_ name: Int, to buffer: inout ByteBuffer) { buffer.append(keyRanges[name], of: keys) }
}
