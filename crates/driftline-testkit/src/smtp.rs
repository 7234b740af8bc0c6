//! A real SMTP server on loopback: aiosmtpd from `PyPI`, which other projects test against too.
//!
//! It prints each message that it took as a line of JSON; it ends when this process closes its input.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::Value;

use crate::python;
use crate::server::tls::{Identity, Trust};

/// The server. Its first line is the port.
const SCRIPT: &str = r#"
import json, socket, ssl, sys
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, SMTP

mode, certificate, key, user, password = sys.argv[1:6]
refusals = sys.argv[6:]

class Handler:
    async def handle_DATA(self, server, session, envelope):
        if refusals:
            return refusals.pop(0)
        print(json.dumps({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, 
            "tls": server.transport.get_extra_info("ssl_object") is not None,
            "user": session.auth_data and session.auth_data.login.decode(),
            "data": envelope.content.decode("utf-8", "replace"),
        }), flush=True)
        return "250 OK"

def authenticate(server, session, envelope, mechanism, data):
    good = data.login.decode() == user and data.password.decode() == password
    return AuthResult(success=good, handled=False, auth_data=data)

context = None
if mode != "plain":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
options = {"hostname": "127.0.0.1", "port": 0, "enable_SMTPUTF8": True}
if user:
    options |= {"auth_required": True, "authenticator": authenticate, "auth_require_tls": mode == "starttls"}
if mode == "starttls":
    options |= {"tls_context": context, "require_starttls": True}
elif mode == "tls":
    options |= {"ssl_context": context}

class AnyPort(Controller):
    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        if mode != "tls":
            return super()._trigger_server()
        # Its own way takes the server's context for a client's, which cannot be.
        client = ssl.create_default_context()
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection((self.hostname, self.port), 5) as plain, client.wrap_socket(plain) as private:
            private.recv(1024)

controller = AnyPort(Handler(), **options)
controller.start()
print(controller.port, flush=True)
sys.stdin.read()
controller.stop()
"#;

/// How the connection is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privacy {
    /// Not at all.
    Plain,
    /// From `STARTTLS` on, which is required.
    StartTls,
    /// From the beginning.
    Tls,
}

/// What the server is like.
#[derive(Debug, Clone)]
pub struct Options {
    /// How the connection is kept private.
    pub privacy: Privacy,
    /// The name and the password that it asks for.
    pub login: Option<(String, String)>,
    /// What it answers to the first messages instead of taking them: `451 later`, `550 never`.
    pub refusals: Vec<String>,
}

/// A server, which ends when it is dropped.
#[derive(Debug)]
pub struct Smtp {
    process: Child,
    lines: BufReader<ChildStdout>,
    port: u16,
    authority: String,
    _files: tempfile::TempDir,
}

impl Smtp {
    /// Starts a server.
    ///
    /// # Panics
    /// If there is no Python, or if `PyPI` cannot be reached.
    #[must_use]
    pub fn start(options: &Options) -> Self {
        let venv = python::tools();
        let files = tempfile::tempdir().expect("a temporary folder");
        let identity = Identity::new(Trust::Good);
        let write = |name: &str, text: &str| {
            let path = files.path().join(name);
            std::fs::write(&path, text).expect("a temporary folder can be written");
            path
        };
        let (certificate, key) = (write("certificate", &identity.certificate), write("key", &identity.key));
        let (user, password) = options.login.clone().unwrap_or_default();
        let mut command = venv.command("python");
        command.args(["-c", SCRIPT, options.privacy.name()]).args([path(&certificate), path(&key)]);
        command.args([user, password]).args(&options.refusals);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut process = command.spawn().expect("the environment has a Python");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped"));
        let port = next_line(&mut lines).trim().parse().expect("aiosmtpd says where it listens");
        Self { process, lines, port, authority: identity.authority, _files: files }
    }

    /// Where it listens, on 127.0.0.1; its certificate is for `localhost` too.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Who has to be trusted for its certificate to be good, in PEM.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The next message that it took, once there is one: `from`, `to`, `tls`, `user`, `data`.
    ///
    /// # Panics
    /// If the server has ended.
    #[must_use]
    pub fn message(&mut self) -> Value {
        serde_json::from_str(&next_line(&mut self.lines)).expect("a message is a line of JSON")
    }
}

impl Drop for Smtp {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

impl Privacy {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::StartTls => "starttls",
            Self::Tls => "tls",
        }
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

fn next_line(lines: &mut impl BufRead) -> String {
    let mut line = String::new();
    lines.read_line(&mut line).expect("aiosmtpd prints text");
    assert!(!line.is_empty(), "aiosmtpd has ended");
    line
}
