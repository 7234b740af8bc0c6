//! E-mail: over SMTP, private unless the operator says otherwise.
//!
//! A message has a text and a web page, and a `Message-ID` made of the key, so that a repeat is known as one.

mod smtp;

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use driftline_report::summary::Markup;
use lettre::Message;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, TlsParameters};
use serde::Deserialize;
use smtp::{Privacy, Server};

use super::webhook::revealed;
use super::{Failure, Http, Parcel, Secret, Way};

/// A server that takes mail, and who gets it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Email {
    server: String,
    port: Option<u16>,
    security: Option<Security>,
    /// Without TLS to another machine.
    #[serde(default)]
    insecure: bool,
    user: Option<String>,
    password: Option<Secret>,
    from: String,
    to: Vec<String>,
    ca: Option<PathBuf>,
}

/// How the connection is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Security {
    /// From the beginning.
    Tls,
    /// From `STARTTLS` on, which is required.
    Starttls,
    /// Not at all.
    None,
}

impl Way for Email {
    fn markup(&self) -> Markup {
        Markup::PLAIN
    }

    fn send(&self, parcel: &Parcel<'_>, _http: &Http) -> Result<(), Failure> {
        let message = self.message(parcel).map_err(Failure::Never)?;
        let sent = self.server(parcel)?.send(message);
        sent.map_err(|error| Failure::again(format!("{}: {error}", self.server)))
    }

    fn secrets(&self) -> Vec<&Secret> {
        self.password.iter().collect()
    }

    fn most_a_minute(&self) -> u32 {
        60
    }

    fn authorities(&self) -> Option<&PathBuf> {
        self.ca.as_ref()
    }

    fn check(&self) -> Result<(), String> {
        self.sender()?;
        if self.to.is_empty() || self.to.len() > 100 {
            return Err("`to` has from 1 to 100 addresses".to_owned());
        }
        self.to.iter().try_for_each(|to| mailbox("to", to).map(drop))?;
        if self.user.is_some() != self.password.is_some() {
            return Err("`user` and `password` come together".to_owned());
        }
        if self.security() == Security::None && !self.insecure && !is_loopback(&self.server) {
            return Err(
                "`security = \"none\"` lets anybody on the way read the mail and the password\nhint: use `tls` or \
                        `starttls`; or write `insecure = true` if the network is your own"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

impl Email {
    /// What is set, or what the port is known for.
    fn security(&self) -> Security {
        self.security.unwrap_or(if self.port == Some(465) { Security::Tls } else { Security::Starttls })
    }

    fn sender(&self) -> Result<Mailbox, String> {
        mailbox("from", &self.from)
    }

    fn server(&self, parcel: &Parcel<'_>) -> Result<Server, Failure> {
        let (port, privacy) = match self.security() {
            Security::Tls => (465, Privacy::Tls(self.tls(parcel)?)),
            Security::Starttls => (587, Privacy::Starttls(self.tls(parcel)?)),
            Security::None => (25, Privacy::None),
        };
        let login = match (&self.user, &self.password) {
            (Some(user), Some(password)) => Some(Credentials::new(user.clone(), revealed(password)?)),
            _ => None,
        };
        let timeout = parcel.target.timeout().duration();
        Ok(Server { name: self.server.clone(), port: self.port.unwrap_or(port), privacy, login, timeout })
    }

    fn tls(&self, parcel: &Parcel<'_>) -> Result<TlsParameters, Failure> {
        let mut tls = TlsParameters::builder(self.server.clone());
        if let Some(path) = parcel.target.authorities() {
            let wrong =
                |error: &dyn std::fmt::Display| Failure::again(format!("cannot use `{}`: {error}", path.display()));
            let pem = std::fs::read(&path).map_err(|error| wrong(&error))?;
            tls = tls.add_root_certificate(Certificate::from_pem(&pem).map_err(|error| wrong(&error))?);
        }
        tls.build().map_err(|error| Failure::again(error.to_string()))
    }

    fn message(&self, parcel: &Parcel<'_>) -> Result<Message, String> {
        let from = self.sender()?;
        let domain = from.email.domain().to_owned();
        let date = UNIX_EPOCH + Duration::from_micros(parcel.now.microseconds().max(0).cast_unsigned());
        let mut message = Message::builder()
            .from(from)
            .subject(parcel.message.subject.replace(|char: char| char.is_control(), " "))
            .date(date)
            .message_id(Some(format!("<{}@driftline.{domain}>", parcel.key)))
            .raw_header(header("Auto-Submitted", "auto-generated".to_owned()))
            .raw_header(header("List-Id", format!("<{}.driftline.{domain}>", parcel.target.name())))
            .raw_header(header("X-Driftline-Delivery", parcel.key.clone()));
        for to in &self.to {
            message = message.to(mailbox("to", to)?);
        }
        let composed = &parcel.message;
        let bodies = MultiPart::alternative()
            .singlepart(
                lettre::message::SinglePart::builder().header(ContentType::TEXT_PLAIN).body(composed.text.clone()),
            )
            .singlepart(
                lettre::message::SinglePart::builder().header(ContentType::TEXT_HTML).body(composed.html.clone()),
            );
        message.multipart(bodies).map_err(|error| error.to_string())
    }
}

fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

fn mailbox(key: &str, written: &str) -> Result<Mailbox, String> {
    written.parse().map_err(|_| {
        format!("`{key}` has `{written}`, which is no address\nhint: write name@example.org or Name <name@example.org>")
    })
}

fn is_loopback(server: &str) -> bool {
    let address = server.trim_matches(['[', ']']).parse::<IpAddr>();
    server.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}
