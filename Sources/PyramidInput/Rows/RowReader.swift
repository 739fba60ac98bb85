import PyramidTiles

/// Collects the rows of an input, whatever its format.
package struct RowReader<Parser: RowParser> {
    package let input: InputBytes
    var parser: Parser
    var collected: CollectedRows<Parser.Columns>

    /// - Parameter start: of the first row.
    init(_ input: InputBytes, _ parser: Parser, from start: Int) {
        self.input = input
        self.parser = parser
        collected = CollectedRows(from: start, parser.noColumns)
    }

    /// Reads rows up to the first thing that isn't one, or to the end.
    ///
    /// Several threads read chunks of the input ahead. A chunk's rows are used if the rows before it end where it
    /// begins; otherwise the chunk is read again. The unread rest of any chunk is read again too.
    /// - Returns: whether there is such a thing.
    @discardableResult package mutating func readRows(
        _ cutting: InputCutting, store: (any RowStore)?, progress: (_ bytesRead: Int) -> Void
    ) throws(InputError) -> Bool {
        let elements = input.elements
        let bytes = elements.span
        let start = collected.end
        // A short run, such as one of many collections, isn't worth several threads.
        var cutting = cutting
        let jobs = cutting.jobs
        cutting.jobs = 1
        while collected.end < bytes.count {
            let chunks = cutting.nextChunks(of: bytes, from: collected.end)
            let ahead = readAhead(chunks, cutting, of: bytes)
            for (index, chunk) in chunks.enumerated() {
                if index < ahead.count, collected.end == chunk.lowerBound {
                    collected.append(ahead[index])
                }
                let isDone = try parser.read(until: chunk.upperBound, of: bytes, isAhead: false, into: &collected)
                try RowTally.require(collected.rows.acceptedCount, in: input.name)
                guard collected.survey.columns.count <= InputLimits.columns else {
                    throw InputError(
                        .badData, in: input.name, "has more than \(InputLimits.columns) different property names")
                }
                collected.rows.reserveRoom(
                    inputBytes: bytes.count, bytesRead: collected.end - start, limit: store?.rowLimit)
                try collected.rows.move(to: store)
                if isDone { return true }
            }
            progress(collected.end)
            cutting.jobs = jobs
        }
        return false
    }

    private func readAhead(
        _ chunks: [Range<Int>], _ cutting: InputCutting, of bytes: Span<UInt8>
    ) -> [CollectedRows<Parser.Columns>] {
        guard chunks.count > 1 else { return [] }
        return SharedWork(jobs: cutting.jobs).map(chunks) { [parser] chunk in
            var parser = parser
            var collected = CollectedRows(from: chunk.lowerBound, parser.noColumns)
            let known = bytes.extracting(..<min(chunk.upperBound + cutting.chunkBytes, bytes.count))
            _ = try? parser.read(until: chunk.upperBound, of: known, isAhead: true, into: &collected)
            return collected
        }
    }

    mutating func countDuplicate(rowAt start: Int) {
        let elements = input.elements
        parser.countDuplicate(rowAt: start, in: elements.span, into: &collected.rows.log)
    }

    package mutating func survey(rowAt start: Int) {
        let elements = input.elements
        parser.survey(rowAt: start, in: elements.span, into: &collected.survey)
    }
}
