import PyramidPlatform

// Passwords, keys and tokens must not get into messages, which end up in logs that others read. Programs and hosts may
// repeat the credentials that they were given, and so do messages about an argument.

extension String {
    /// The text with `***` for the user of each URL, as in `https://user:password@host`, and for the value of each
    /// parameter that is named like a secret, as in `?X-Amz-Signature=...` or `,secret_access_key=...`. O(n)
    public func hidingCredentials() -> String {
        hidingParameters().hidingUsers()
    }

    private func hidingUsers() -> String {
        let parts = split(separator: "://", omittingEmptySubsequences: false)
        let others = parts.dropFirst().map { part -> Substring in
            let host = part.prefix { !" /?#\"'<>\n".contains($0) }
            guard let end = host.lastIndex(of: "@") else { return part }
            return "***" + part[end...]
        }
        return ([parts[0]] + others).joined(separator: "://")
    }

    private func hidingParameters() -> String {
        var hidden = ""
        var rest = self[...]
        while let equals = rest.firstIndex(of: "=") {
            let before = rest[..<equals]
            let name = before[(before.lastIndex { !$0.isPartOfName }.map(before.index(after:)) ?? before.startIndex)...]
            hidden += rest[...equals]
            rest = rest[rest.index(after: equals)...]
            guard name.isNameOfSecret else { continue }
            let quote = rest.first.flatMap { "\"'".contains($0) ? $0 : nil }
            let value =
                quote.map { quote in
                    rest.dropFirst().firstIndex(of: quote).map { rest[..<rest.index(after: $0)] } ?? rest
                } ?? rest.prefix { !"&,;: \"'<>)\n".contains($0) }
            if !value.isEmpty { hidden += "***" }
            rest = rest[value.endIndex...]
        }
        return hidden + rest
    }
}

extension StringProtocol {
    /// Whether the value of an environment variable or a parameter with this name is a secret.
    var isNameOfSecret: Bool {
        lowercased().split { !$0.isLetter && !$0.isNumber }.contains { word in
            [
                "secret", "password", "passwd", "passphrase", "pass", "pwd", "token", "signature", "sig", "credential",
                "credentials", "key", "apikey", "accesskey", "awsaccesskeyid", "accesstoken",
            ].contains(word)
        }
    }
}

extension Character {
    fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" || self == "-" }
}

/// The secrets in a program's environment.
struct EnvironmentSecrets: Sendable {
    private let values: [String]

    init(of environment: [String: String]) {
        values = environment.filter { name, value in
            // Paths of files with secrets aren't secret themselves, and short values could occur in any text.
            name.isNameOfSecret && value.count >= 8 && !value.hasPrefix("/")
        }.values.sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// A text of the program with `***` for the secrets and for other credentials.
    func hidden(in text: String) -> String {
        values.reduce(text) { $0.replacing($1, with: "***") }.hidingCredentials()
    }
}
