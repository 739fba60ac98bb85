/// What the rows of a CSV input come to, or those of a part of it.
struct CSVRows: Sendable {
    var accepted = AcceptedRows()
    var readCount = 0
    var log = BadRowLog()
    var survey: CSVRowSurvey
    /// Bytes that were read again because a malformed row was cut short.
    var bytesReadAgain = 0
    /// Where the next row begins.
    var end: Int

    init(from start: Int, survey: CSVRowSurvey) {
        end = start
        self.survey = survey
    }

    /// Appends the rows that follow.
    mutating func append(_ next: CSVRows) {
        accepted.append(next.accepted, base: 0)
        readCount += next.readCount
        log.append(next.log)
        survey.formUnion(next.survey)
        bytesReadAgain += next.bytesReadAgain
        end = next.end
    }
}
