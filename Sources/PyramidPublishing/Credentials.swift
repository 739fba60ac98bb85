import PyramidPlatform

// Passwords, keys and tokens must not get into messages, which end up in logs that others read. Programs and hosts may
// repeat the credentials that they were given, and so do messages about an argument.

extension String {
    /// The text with `***` for the user of each URL, as in `https://user:password@host`, and for the value of each
    /// parameter that is named like a secret, as in `?X-Amz-Signature=...` or `,secret_access_key=...`. O(n)
    public func hidingCredentials() -> String {
        replacing(String.secretParameter) { "\($0.1)=***" }
            .replacing(/:\/\/[^ \/?#"'<>\n]*@/, with: "://***@")
    }

    /// A parameter or an environment variable, one of whose name's words says that the value is secret.
    fileprivate static var secretParameter: Regex<(Substring, Substring)> {
        #/
        \b ((?: [\w-]* [-_] )?
        (?: secret | password | passwd | passphrase | pass | pwd | (?:access)?token | signature | sig | credentials?
            | (?: api | access )?key | awsaccesskeyid )
        (?: [-_] [\w-]* )?)
        = (?: "[^"]*"? | '[^']*'? | [^&,;:\ "'<>)\n]+ )
        /#.ignoresCase().wordBoundaryKind(.simple)
    }
}

/// The secrets in a program's environment.
struct EnvironmentSecrets: Sendable {
    private let values: [String]

    init(of environment: [String: String]) {
        values = environment.filter { name, value in
            // Paths of files with secrets aren't secret themselves, and short values could occur in any text.
            "\(name)=x".contains(String.secretParameter) && value.count >= 8 && !value.hasPrefix("/")
        }.values.sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// A text of the program with `***` for the secrets and for other credentials.
    func hidden(in text: String) -> String {
        values.reduce(text) { $0.replacing($1, with: "***") }.hidingCredentials()
    }
}
