//! A program of the operator's own: JSON over HTTP, signed if there is a secret.

use std::collections::BTreeMap;
use std::path::PathBuf;

use data_encoding::HEXLOWER;
use driftline_fetch::guard;
use driftline_report::summary::Markup;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;
use url::Url;

use super::{Failure, Http, Parcel, Secret, Way};
use crate::tell::http::Post;

/// The version of what is sent.
const FORMAT: u32 = 1;

/// A webhook.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Webhook {
    url: Secret,
    secret: Option<Secret>,
    #[serde(default)]
    headers: BTreeMap<String, Secret>,
    ca: Option<PathBuf>,
}

impl Way for Webhook {
    fn markup(&self) -> Markup {
        Markup::PLAIN
    }

    fn send(&self, parcel: &Parcel<'_>, http: &Http) -> Result<(), Failure> {
        let body = body(parcel).to_string().into_bytes();
        let seconds = parcel.now.microseconds().div_euclid(1_000_000).to_string();
        let mut headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("idempotency-key".to_owned(), parcel.key.clone()),
            ("x-driftline-timestamp".to_owned(), seconds.clone()),
        ];
        for (name, value) in &self.headers {
            headers.push((name.to_ascii_lowercase(), revealed(value)?));
        }
        if let Some(secret) = &self.secret {
            headers.push(("x-driftline-signature".to_owned(), signature(&revealed(secret)?, &seconds, &body)?));
        }
        http.post(Post { parcel, url: revealed(&self.url)?, headers, body })?;
        Ok(())
    }

    fn secrets(&self) -> Vec<&Secret> {
        [Some(&self.url), self.secret.as_ref()].into_iter().flatten().chain(self.headers.values()).collect()
    }

    fn most_a_minute(&self) -> u32 {
        600
    }

    fn authorities(&self) -> Option<&PathBuf> {
        self.ca.as_ref()
    }

    fn check(&self) -> Result<(), String> {
        let taken = ["content-length", "content-type", "host", "idempotency-key", "transfer-encoding"];
        let own = self.headers.keys().find(|name| taken.contains(&name.to_ascii_lowercase().as_str()));
        match own {
            Some(name) => Err(format!("the header `{name}` is driftline's own")),
            None => is_web(&self.url),
        }
    }
}

/// `events` as they are stored, each with the key of its delivery, and the message about them.
fn body(parcel: &Parcel<'_>) -> Value {
    let event = |(event, key): (&driftline::event::Event, &String)| {
        let mut value = serde_json::to_value(event).unwrap_or_default();
        if let Value::Object(fields) = &mut value {
            fields.insert("delivery".to_owned(), json!(key));
        }
        value
    };
    json!({
        "format": FORMAT,
        "key": parcel.key,
        "target": parcel.target.name(),
        "sent": parcel.now,
        "events": parcel.events.iter().zip(&parcel.keys).map(event).collect::<Vec<_>>(),
        "message": { "subject": parcel.message.subject, "text": parcel.message.text },
    })
}

/// `sha256=` and the HMAC of the time, a stop, and the body: who has it cannot send an old message as a new one.
fn signature(secret: &str, seconds: &str, body: &[u8]) -> Result<String, Failure> {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
    let mut mac = mac.map_err(|_| Failure::Never("`secret` cannot be used as a key".to_owned()))?;
    mac.update(seconds.as_bytes());
    mac.update(b".");
    mac.update(body);
    Ok(format!("sha256={}", HEXLOWER.encode(&mac.finalize().into_bytes())))
}

/// A secret; one that is not there may be there later.
pub(super) fn revealed(secret: &Secret) -> Result<String, Failure> {
    secret.reveal().map_err(|error| Failure::again(error.to_string()))
}

/// Is it an address of the web, or one that is said elsewhere?
pub(super) fn is_web(url: &Secret) -> Result<(), String> {
    let written = url.written();
    let begins = |with: &[&str]| with.iter().any(|start| written.starts_with(start));
    if begins(&["env:", "file:"]) {
        return Ok(());
    }
    if !begins(&["http://", "https://"]) {
        return Err("`url` is an address with http or https, or `env:NAME`, or `file:PATH`".to_owned());
    }
    parsed(written).map(drop)
}

/// An address for messages to be sent to.
pub(super) fn parsed(url: &str) -> Result<Url, String> {
    Url::parse(url).map_err(|error| format!("`url` is not a valid address: {}", guard::reason(error)))
}

#[cfg(test)]
mod tests {
    use super::{Secret, is_web, signature};

    #[test]
    fn an_address_that_cannot_be_one_is_refused_in_plain_words() {
        let refused = |url: &str| is_web(&Secret::from(url)).unwrap_err();
        assert_eq!(refused("https://"), "`url` is not a valid address: it has no host");
        let port = "`url` is not a valid address: its port is not a number from 0 to 65535";
        assert_eq!(refused("https://example.org:99999/hush"), port);
        assert!(refused("example.org").contains("with http or https"));
        assert_eq!(is_web(&Secret::from("env:HOOK")), Ok(()));
    }

    #[test]
    fn a_signature_is_what_openssl_says() {
        // printf '%s' '1700000000.{}' | openssl dgst -sha256 -hmac key
        let expected = "sha256=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae";
        assert_eq!(signature("key", "1700000000", b"{}").unwrap(), expected);
    }
}
