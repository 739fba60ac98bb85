import PyramidTiles

/// A warning about unusable values, with their number. Numbers from several parts are added up.
package struct CountedWarning: Sendable {
    package enum Kind: Hashable, Sendable {
        /// - Parameter isBoolean: whether the column has booleans instead.
        case notANumber(column: String, Accumulation.Operation, isBoolean: Bool)
        case noPriority, noWeight
    }

    /// A value that can't be used.
    package struct Value: Sendable {
        package let text: String
        /// `nil` in rows that were copied.
        package let place: String?
        /// Whether it is a number that is too large to be added up.
        fileprivate let isNumber: Bool
        /// What makes numbers of such values.
        package let cure: OptionMessage?

        package init(text: [UInt8], rowAt start: UInt64, of points: PointTable) {
            self.text = InputError.quoted(text)
            isNumber = DecimalLiteral(text.span, in: text.indices) != nil
            let (index, offset) = points.inputs.position(of: start)
            let (input, rule) = (points.inputs.inputs[index], points.comparableInputs[index].rule)
            let elements = input.elements
            var lines = LineCounter()
            place = points.hasCopiedRows ? nil : "\(input.name):\(lines.line(at: offset, in: elements.span))"
            let isGrouped = String(decoding: text, as: UTF8.self).wholeMatch(of: /-?\d{1,3}(,\d{3})+(\.\d+)?/) != nil
            let command = input.command(
                #"perl -pe 's/(?:^|(?<=,))"(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?)"(?=[,\r\n]|$)/$1 =~ tr|,||dr/ge' FILE"#)
            cure = isGrouped && rule?.delimiter == UInt8(ascii: ",") ? "\(.buildFromOutput(of: command))" : nil
        }
    }

    package let kind: Kind
    package var count: Int
    package let first: Value?

    /// `nil` if all values can be used.
    package init?(_ kind: Kind, count: Int, first: Value? = nil) {
        guard count > 0 else { return nil }
        (self.kind, self.count, self.first) = (kind, count, first)
    }

    private func sentence(
        notANumber column: String, _ operation: Accumulation.Operation, isBoolean: Bool
    ) -> OptionMessage {
        let shown = first.map { first in
            first.place.map { ", the first in \($0): \(first.text)" } ?? ", such as \(first.text)"
        }
        let size = first?.isNumber == true ? " of up to 15 digits" : ""
        let are = count == 1 ? "is not a number\(size) and is" : "are not numbers\(size) and are"
        var sentence: OptionMessage =
            "\(NumberText.counted(count, "value")) of \"\(column)\" \(are) left out of its \(operation.rawValue)\(shown ?? "")"
        if isBoolean { sentence = sentence + "; \(.countBy) \(ShellWord.quoted(column)) counts true and false" }
        if let cure = first?.cure { sentence = sentence + "; take the commas out: \(cure)" }
        return sentence
    }

    package var message: OptionMessage {
        switch kind {
        case .notANumber(let column, let operation, let isBoolean):
            sentence(notANumber: column, operation, isBoolean: isBoolean)
        case .noPriority: "\(count) priorities are not numbers; these points come last"
        case .noWeight:
            "\(count) weights are not whole numbers from 0 to \(FixedDecimal.weightLimit); these points count as 1"
        }
    }
}

extension [[CountedWarning]] {
    /// The messages about all parts, in the order of the first part that has them.
    package var summedUp: [OptionMessage] {
        var all: [CountedWarning] = []
        for warning in joined() {
            if let index = all.firstIndex(where: { $0.kind == warning.kind }) {
                all[index].count += warning.count
            } else {
                all.append(warning)
            }
        }
        return all.map(\.message)
    }
}
