import PyramidTiles

/// A warning about unusable values, with their number. Numbers from several parts are added up.
struct CountedWarning: Sendable {
    enum Kind: Hashable, Sendable {
        /// - Parameter isBoolean: whether the column has booleans instead.
        case notANumber(column: String, Accumulation.Operation, isBoolean: Bool)
        case noPriority, noWeight
    }

    let kind: Kind
    var count: Int

    /// `nil` if all values can be used.
    init?(_ kind: Kind, count: Int) {
        guard count > 0 else { return nil }
        (self.kind, self.count) = (kind, count)
    }

    var message: OptionMessage {
        switch kind {
        case .notANumber(let column, let operation, let isBoolean):
            "\(NumberText.grouped(count)) values of \"\(column)\" are not numbers and are left out of its "
                + "\(operation.rawValue)"
                + (isBoolean ? "; \(.countBy) \(ShellWord.quoted(column)) counts true and false" : "")
        case .noPriority: "\(count) priorities are not numbers; these points come last"
        case .noWeight:
            "\(count) weights are not whole numbers from 0 to \(FixedDecimal.weightLimit); these points count as 1"
        }
    }
}

extension [[CountedWarning]] {
    /// The messages about all parts, in the order of the first part that has them.
    var summedUp: [OptionMessage] {
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
