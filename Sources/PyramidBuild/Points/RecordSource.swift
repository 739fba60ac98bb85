/// What is needed of an input to compare its records: nothing that is counted, so that threads don't wait for each other.
struct RecordSource: @unchecked Sendable {
    /// Valid for as long as the input lives; never written to.
    let bytes: UnsafeBufferPointer<UInt8>
    /// `nil` for GeoJSON.
    let delimiter: UInt8?
    /// The place of the records' ``RecordSyntax`` among those of all inputs, by content.
    let rank: Int

    /// Those of all inputs, which whoever keeps them has to keep too.
    static func all(_ inputs: [InputBytes], syntaxes: [RecordSyntax]) -> [RecordSource] {
        zip(inputs, zip(syntaxes, RecordSyntax.ranks(syntaxes))).map { input, syntax in
            RecordSource(bytes: input.elements, delimiter: syntax.0.delimiter, rank: syntax.1)
        }
    }
}
