import Testing

@testable import PyramidPublishing

@Suite struct CredentialsTests {
    @Test(arguments: [
        ("https://me:hunter2@host/a", "https://***@host/a"),
        ("see https://me@host and http://b:c%40@d:80/e@f.", "see https://***@host and http://***@d:80/e@f."),
        ("http://x/?a=1&X-Amz-Signature=ab12&b=2", "http://x/?a=1&X-Amz-Signature=***&b=2"),
        ("Put \"https://h/x?sv=1&sig=q%2Fw%3D\": EOF", "Put \"https://h/x?sv=1&sig=***\": EOF"),
        (
            ":s3,access_key_id=AK,secret_access_key='a:b,c',endpoint='http://h':p",
            ":s3,access_key_id=***,secret_access_key=***,endpoint='http://h':p"
        ),
        ("token=abc", "token=***"), ("key='open", "key=***"), ("pass=", "pass="),
    ])
    func `secrets are hidden, and nothing beside them`(text: String, hidden: String) {
        #expect(text.hidingCredentials() == hidden)
        #expect(hidden.hidingCredentials() == hidden)
    }

    @Test(arguments: [
        "", "=", "://", "a@b", "https://host/a@b", "x=1&monkey=2", "a==b", "s3://bucket/a=b", "tokens.csv:3: 4 = 5",
        "https://host?mail=a@b",
    ])
    func `what is no secret stays`(text: String) {
        #expect(text.hidingCredentials() == text)
    }

    @Test func `what the environment keeps secret is hidden wherever it occurs`() {
        let secrets = EnvironmentSecrets(of: [
            "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI", "AWS_SESSION_TOKEN": "wJalrXUtnFEMI/more", "A_KEY": "short",
            "AWS_SHARED_CREDENTIALS_FILE": "/root/.aws/x", "HOME": "/root/secrets",
        ])
        let text = "wJalrXUtnFEMI/more wJalrXUtnFEMI, short /root/.aws/x /root/secrets"
        #expect(secrets.hidden(in: text) == "*** ***, short /root/.aws/x /root/secrets")
    }
}
