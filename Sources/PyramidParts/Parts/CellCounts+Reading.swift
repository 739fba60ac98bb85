import PyramidInput
import PyramidTiles

extension CellCounts {
    /// Reads a line for each cell: `z/x/y`, a tab or a space, and the number of rows.
    /// - Parameter zoom: the zoom of the cells to count in; smaller cells in the input are added up.
    /// - Throws: `InputError`: `.badData` if a line has another form, or a cell is too large.
    public init(reading input: InputBytes, atZoom zoom: Int) throws(InputError) {
        self.init(zoom: zoom)
        for (index, line) in input.elements.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated() where !line.isEmpty
        {
            guard let (tile, count) = CellCounts.cell(line) else {
                throw InputError(
                    .badData, in: input.name, line: index + 1,
                    "found \(InputError.quoted(line)), expected a tile and its number of rows, such as \(zoom)/0/0 12")
            }
            guard let cell = tile.ancestor(atZoom: zoom) else {
                throw InputError(
                    .badData, in: input.name, line: index + 1,
                    "found tile \(tile), expected tiles of zoom \(zoom); count the rows in these")
            }
            counts[cell.node, default: 0] += count
        }
    }

    /// `nil` if the line has another form.
    private static func cell(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> (TileCoordinate, count: Int)? {
        var numbers = [0]
        var digits = 0
        for byte in line {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < 12:
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
            case UInt8(ascii: "/") where digits > 0 && numbers.count < 3,
                UInt8(ascii: "\t") where digits > 0 && numbers.count == 3,
                UInt8(ascii: " ") where digits > 0 && numbers.count == 3:
                numbers.append(0)
                digits = 0
            default: return nil
            }
        }
        guard numbers.count == 4, digits > 0 else { return nil }
        return TileCoordinate(z: numbers[0], x: numbers[1], y: numbers[2]).map { ($0, numbers[3]) }
    }
}
