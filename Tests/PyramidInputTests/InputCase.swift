import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// An input and its expected outcome, in the notation of `CSVReading.outcome`.
struct InputCase: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let options: InputOptions
    let outcome: String

    init(_ name: String, _ text: String, _ outcome: String, _ options: InputOptions = InputOptions()) {
        self.init(name, bytes: Array(text.utf8), outcome, options)
    }

    init(_ name: String, bytes: [UInt8], _ outcome: String, _ options: InputOptions = InputOptions()) {
        self.name = name
        self.bytes = bytes
        self.options = options
        self.outcome = outcome
    }

    var testDescription: String { name }
}
