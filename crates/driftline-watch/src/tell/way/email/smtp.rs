//! How is a mail handed over? Step by step, and the last step may take long.
//!
//! Once a server has all of a mail, it may look at it for minutes before it says that it has taken it, and may deliver it
//! even if nobody waits for that. Whoever gives up too soon sends it again, and again: RFC 5321, 4.5.3.2.6, wants ten
//! minutes. Until then nothing is delivered, and the target's own timeout counts.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use driftline_fetch::reason;
use lettre::Message;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, MailBodyParameter, MailParameter};

/// How long a server may think about a mail that it has.
const TAKING: Duration = Duration::from_mins(10);
/// All steps before that take at most so many times the timeout, which each of them has.
const MOST_STEPS: u32 = 2;
/// And no longer than this: with [`TAKING`], a mail is done before anybody else may claim it.
const LONGEST: Duration = Duration::from_mins(5);

/// A server that takes mail.
pub(super) struct Server {
    pub(super) name: String,
    pub(super) port: u16,
    pub(super) privacy: Privacy,
    pub(super) login: Option<Credentials>,
    /// How long each step may take until the server has the mail.
    pub(super) timeout: Duration,
}

/// How the connection is kept private.
pub(super) enum Privacy {
    /// From the beginning.
    Tls(TlsParameters),
    /// From `STARTTLS` on, which is required.
    Starttls(TlsParameters),
    /// Not at all.
    None,
}

/// How far a mail is.
enum Progress {
    /// The server is ready for the mail itself.
    Ready,
    /// The server has taken it, or has not.
    Done(Result<(), Error>),
}

impl Server {
    /// Sends a mail; why not, if the server did not take it.
    pub(super) fn send(self, message: Message) -> Result<(), String> {
        let most = (self.timeout * MOST_STEPS).min(LONGEST);
        let (sender, progress) = mpsc::channel();
        // By itself: the timeout is for each answer, and a server can make more and more of them.
        std::thread::spawn(move || self.run(&message, &sender));
        let wait = |most: Duration| match progress.recv_timeout(most) {
            Err(RecvTimeoutError::Timeout) => Err(format!("no end within {} s", most.as_secs_f32())),
            Err(RecvTimeoutError::Disconnected) => Err("driftline itself failed".to_owned()),
            Ok(progress) => Ok(progress),
        };
        let mut last = wait(most)?;
        while matches!(last, Progress::Ready) {
            last = wait(TAKING)?;
        }
        if let Progress::Done(Err(error)) = last { Err(reason::plain_line(&error)) } else { Ok(()) }
    }

    /// All steps, and the farewell, which nobody waits for.
    fn run(&self, message: &Message, progress: &Sender<Progress>) {
        match self.hand_over(message, progress) {
            Err(error) => drop(progress.send(Progress::Done(Err(error)))),
            Ok(mut connection) => {
                let _ = progress.send(Progress::Done(Ok(())));
                let _ = connection.set_timeout(Some(self.timeout));
                connection.abort();
            }
        }
    }

    fn hand_over(&self, message: &Message, progress: &Sender<Progress>) -> Result<SmtpConnection, Error> {
        let mut connection = self.connect()?;
        let (envelope, mail) = (message.envelope(), message.formatted());
        let mut how = Vec::new();
        if envelope.from().into_iter().chain(envelope.to()).any(|address| !address.to_string().is_ascii()) {
            how.push(MailParameter::SmtpUtfEight);
        }
        if !mail.is_ascii() {
            how.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        connection.command(Mail::new(envelope.from().cloned(), how))?;
        for to in envelope.to() {
            connection.command(Rcpt::new(to.clone(), Vec::new()))?;
        }
        connection.command(Data)?;
        let _ = progress.send(Progress::Ready);
        // If that cannot be set, the shorter time counts.
        let _ = connection.set_timeout(Some(TAKING));
        connection.message(&mail)?;
        Ok(connection)
    }

    fn connect(&self) -> Result<SmtpConnection, Error> {
        let own_name = ClientId::default();
        let wrapped = if let Privacy::Tls(tls) = &self.privacy { Some(tls) } else { None };
        let server = (self.name.as_str(), self.port);
        let mut connection = SmtpConnection::connect(server, Some(self.timeout), &own_name, wrapped, None)?;
        if let Privacy::Starttls(tls) = &self.privacy {
            connection.starttls(tls, &own_name)?;
        }
        if let Some(login) = &self.login {
            connection.auth(DEFAULT_MECHANISMS, login)?;
        }
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use lettre::Message;

    use super::{Privacy, Server};

    #[test]
    fn a_server_that_keeps_silent_is_told_in_plain_words() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            name: "127.0.0.1".to_owned(),
            port: listener.local_addr().unwrap().port(),
            privacy: Privacy::None,
            login: None,
            timeout: Duration::from_millis(200),
        };
        let message = Message::builder().from("a@a.test".parse().unwrap()).to("b@a.test".parse().unwrap());
        let error = server.send(message.body(String::new()).unwrap()).unwrap_err();
        assert!(error.ends_with("no answer within the time limit"), "{error}");
    }
}
