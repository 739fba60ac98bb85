import PyramidTiles

/// A column, and what clusters say of their members' values.
struct AccumulatedColumn: Sendable {
    private enum Values {
        case numbers(NumberColumn)
        case texts(TextColumn)
    }

    /// As it is written.
    let name: String
    let quotedName: [UInt8]
    /// A sentence about values that are no numbers.
    let warning: OptionMessage?
    private let operation: Accumulation.Operation
    private let values: Values

    init(_ column: PointColumn, _ operation: Accumulation.Operation, of points: PointTable) {
        name = column.outputName
        quotedName = column.quotedName
        self.operation = operation
        if operation.needsNumbers {
            let numbers = NumberColumn(column, of: points)
            values = .numbers(numbers)
            warning =
                numbers.otherCount == 0
                ? nil
                : "\(numbers.otherCount) values of \"\(column.name)\" are no numbers and are left out of its "
                    + "\(operation.rawValue)"
        } else {
            values = .texts(TextColumn(column, of: points))
            warning = nil
        }
    }

    /// The JSON number or the text that a cluster carries; `nil` where no member has a value.
    /// - Parameter members: calls its argument with the number of every member.
    func result(_ members: ((Int) -> Void) -> Void) -> (text: [UInt8], isNumber: Bool)? {
        switch values {
        case .numbers(let column):
            number(column, members).map { (Array($0.description.utf8), true) }
        case .texts(let column):
            if operation == .count {
                (Array("\(presentCount(column, members))".utf8), true)
            } else {
                joined(column, members).map { ($0, false) }
            }
        }
    }

    /// The result over all points, where those of parts add up to it.
    func total(_ members: ((Int) -> Void) -> Void) -> String? {
        switch operation {
        case .sum, .min, .max, .count: result(members).map { String(decoding: $0.text, as: UTF8.self) }
        case .mean, .concat, .comma: nil
        }
    }

    private func number(_ column: NumberColumn, _ members: ((Int) -> Void) -> Void) -> FixedDecimal? {
        var count = 0
        var result = FixedDecimal.zero
        members { point in
            guard let value = column.values[point] else { return }
            count += 1
            switch operation {
            case .min: result = count == 1 ? value : Swift.min(result, value)
            case .max: result = count == 1 ? value : Swift.max(result, value)
            default: result = result + value
            }
        }
        guard count > 0 else { return nil }
        return operation == .mean ? result.divided(by: count) : result
    }

    private func presentCount(_ column: TextColumn, _ members: ((Int) -> Void) -> Void) -> Int {
        var count = 0
        members { point in
            if !column.texts[Int(column.indices[point])].isEmpty { count += 1 }
        }
        return count
    }

    private func joined(_ column: TextColumn, _ members: ((Int) -> Void) -> Void) -> [UInt8]? {
        var indices: [UInt32] = []
        members { indices.append(column.indices[$0]) }
        let texts = indices.sorted().map { column.texts[Int($0)] }.filter { !$0.isEmpty }
        guard !texts.isEmpty else { return nil }
        return Array(texts.joined(separator: operation == .comma ? [UInt8(ascii: ",")] : []))
    }
}
