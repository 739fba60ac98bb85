import PyramidTiles

/// The names of the features' properties, and the kinds of their values.
package struct PropertySurvey: ColumnKinds {
    /// The names in all features, accepted or not.
    package private(set) var names = PropertyNames()
    /// By property: its kinds; `nil` if no accepted feature has it, even if null.
    private var kinds: [ValueKinds?] = []
    /// By property: the last feature that has it, counted from 1.
    private var lastFeature: [Int] = []
    private var featureCount = 0
    /// The last feature's properties in order: a guess for the next feature.
    private var layout: [Int] = []
    private var unescaped: [UInt8] = []

    /// Assigns numbers to a feature's properties.
    /// - Returns: whether all names are different.
    package mutating func number(_ properties: [GeoJSONFeatureScanner.Property], in bytes: Span<UInt8>) -> Bool {
        featureCount += 1
        for index in properties.indices {
            let number = number(properties[index].name, guess: index < layout.count ? layout[index] : 0, in: bytes)
            if index < layout.count { layout[index] = number } else { layout.append(number) }
            guard lastFeature[number] != featureCount else { return false }
            lastFeature[number] = featureCount
        }
        return true
    }

    package var count: Int { names.count }

    /// Adds the feature whose properties were numbered last.
    package mutating func add(_ properties: [GeoJSONFeatureScanner.Property], in bytes: Span<UInt8>) {
        for index in properties.indices {
            let value = properties[index].value
            var known = kinds[layout[index]] ?? []
            known.formUnion(ValueKinds(value.kind))
            if value.kind == .number { known.addDate(bytes, value.range) }
            kinds[layout[index]] = known
        }
    }

    package mutating func append(_ next: PropertySurvey) {
        for (other, name) in next.names.names.enumerated() {
            let number = insert(name)
            if let added = next.kinds[other] { kinds[number] = (kinds[number] ?? []).union(added) }
        }
    }

    /// The names in accepted features, with their kinds. If no feature was accepted, all names, for messages.
    package var columns: [(name: String, kinds: ValueKinds)] {
        let accepted = names.names.indices.filter { kinds[$0] != nil }
        return (accepted.isEmpty ? Array(names.names.indices) : accepted).map {
            (String(decoding: names.names[$0], as: UTF8.self), kinds[$0] ?? [])
        }
    }

    private mutating func number(_ name: JSONText, guess: Int, in bytes: Span<UInt8>) -> Int {
        if name.hasEscapes {
            bytes.unescape(name, into: &unescaped)
        } else {
            if let number = names.number(of: name.range, in: bytes, guess: guess) { return number }
            unescaped = name.range.map { bytes[$0] }
        }
        return insert(unescaped)
    }

    private mutating func insert(_ name: [UInt8]) -> Int {
        let number = names.insert(name)
        if number == kinds.count {
            kinds.append(nil)
            lastFeature.append(0)
        }
        return number
    }
}
