import PyramidTiles

extension JSONReader {
    /// A hash of an id by its JSON value: 0 for none, and a string and a number always differ.
    ///
    /// 64 bits: among a million ids the chance that two which differ have the same is 1 in 40 million.
    func hash(of id: DecodedFeature.ID?) -> UInt64 {
        switch id {
        case .text(let text) where text.hasEscapes: hash(unescaped(text), seed: 1)
        case .text(let text): hash(bytes[text.range], seed: 1)
        case .number(let number) where number.isInteger: hash(bytes[number.range], seed: 2)
        case .number(let number): hash(numberText(number).utf8, seed: 2)
        case nil: 0
        }
    }

    /// 1.0 and 1e0 are 1.
    private func numberText(_ number: DecimalLiteral) -> String {
        let text = String(decoding: bytes[number.range], as: UTF8.self)
        guard let value = Double(text) else { return text }
        return Int(exactly: value).map { String($0) } ?? String(value)
    }

    /// Never 0.
    private func hash(_ bytes: some Sequence<UInt8>, seed: UInt64) -> UInt64 {
        max(1, StableHash.hash(bytes, seed: seed))
    }
}
