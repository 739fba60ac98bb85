/// How much memory long lists may use, and the folder for the rest of them.
public struct ListMemory: Sendable {
    /// How many bytes of each list stay in memory. A build has up to six lists at a time.
    public var budgetBytes: Int
    /// The folder for temporary files with the rest.
    public var folder: String

    public init(budgetBytes: Int, folder: String) {
        self.budgetBytes = budgetBytes
        self.folder = folder
    }

    /// Everything stays in memory.
    public static let unlimited = ListMemory(budgetBytes: .max, folder: SpoolFolder.temporary)

    /// A small budget.
    /// - Parameter outputPath: see ``SpoolFolder/choose(beside:)``.
    package static func small(beside outputPath: String) -> ListMemory {
        ListMemory(budgetBytes: 4 << 20, folder: SpoolFolder.choose(beside: outputPath))
    }

    /// How many elements fit into the budget, at least 1.
    func capacity<Element>(for element: Element.Type) -> Int { max(1, budgetBytes / MemoryLayout<Element>.stride) }
}
