//! Reasons why a connection failed, in plain words instead of those of the libraries.

use std::error::Error;
use std::iter::successors;

/// What hyper says before the reason why no connection was made.
pub(super) const NO_CONNECTION: &str = "tcp connect error";

/// Messages of libraries that only say that something behind them went wrong.
const WRAPPERS: [&str; 8] = [
    "error sending request",
    "client error (",
    "request or response body error",
    "error decoding response body",
    "error reading a body from connection",
    "failed to lookup address information: ",
    "Connection error: ",
    "network error: ",
];

const CUT: &str = "the server closed the connection before its answer was complete";
const NOT_HTTP: &str = "the answer is not valid HTTP";
const NOT_TLS: &str = "the server does not speak TLS on this port";
const NO_HOST: &str = "there is no such host";
const NOT_VOUCHED: &str = "the certificate of the server is from an unknown authority";
const EXPIRED: &str = "the certificate of the server has expired";
const OTHER_HOST: &str = "the certificate of the server is for another host";
const BAD_CERTIFICATE: &str = "the certificate of the server is not valid";

/// How messages of hyper, rustls, the C library and Chromium begin, and the plain words for them. The first that fits
/// is taken.
const PLAIN: [(&str, &str); 41] = [
    ("connection closed before message completed", CUT),
    ("end of file before message length reached", CUT),
    ("unexpected EOF", CUT),
    ("unexpected end of file", CUT),
    ("invalid HTTP", NOT_HTTP),
    ("invalid content-length", NOT_HTTP),
    ("unexpected transfer-encoding", NOT_HTTP),
    ("Invalid chunk", NOT_HTTP),
    ("Invalid Chunk", NOT_HTTP),
    ("invalid chunk", NOT_HTTP),
    ("message head is too large", "the head of the answer is too large"),
    ("tls handshake eof", "the server closed the connection before the TLS handshake was complete"),
    ("received corrupt message", NOT_TLS),
    ("received fatal alert", "the server refuses the TLS connection"),
    ("peer is incompatible", "the server knows no TLS that is safe today"),
    ("invalid peer certificate: UnknownIssuer", NOT_VOUCHED),
    ("invalid peer certificate: certificate expired", EXPIRED),
    ("invalid peer certificate: certificate not valid yet", "the certificate of the server is not valid yet"),
    ("invalid peer certificate: certificate not valid for name", OTHER_HOST),
    ("invalid peer certificate", BAD_CERTIFICATE),
    ("Name or service not known", NO_HOST),
    ("nodename nor servname provided", NO_HOST),
    ("No address associated with hostname", "the host has no address"),
    ("Temporary failure in name resolution", "the name server does not answer"),
    ("Resource temporarily unavailable", "no answer within the time limit"),
    ("net::ERR_CONNECTION_REFUSED", "Connection refused"),
    ("net::ERR_ADDRESS_UNREACHABLE", "No route to host"),
    ("net::ERR_INTERNET_DISCONNECTED", "Network is unreachable"),
    ("net::ERR_HTTP2_PROTOCOL_ERROR", NOT_HTTP),
    ("net::ERR_EMPTY_RESPONSE", CUT),
    ("net::ERR_CONTENT_LENGTH_MISMATCH", CUT),
    ("net::ERR_INCOMPLETE_CHUNKED_ENCODING", CUT),
    ("net::ERR_CONNECTION_CLOSED", CUT),
    ("net::ERR_CONNECTION_RESET", CUT),
    ("net::ERR_INVALID_", NOT_HTTP),
    ("net::ERR_SSL_PROTOCOL_ERROR", NOT_TLS),
    ("net::ERR_NAME_NOT_RESOLVED", NO_HOST),
    ("net::ERR_CERT_AUTHORITY_INVALID", NOT_VOUCHED),
    ("net::ERR_CERT_DATE_INVALID", EXPIRED),
    ("net::ERR_CERT_COMMON_NAME_INVALID", OTHER_HOST),
    ("net::ERR_CERT_", BAD_CERTIFICATE),
];

/// A reason in plain words; one that is not known stays as it is, without the number of the operating system.
#[must_use]
pub fn plain(reason: &str) -> String {
    let inner = WRAPPERS.iter().filter(|wrapper| wrapper.ends_with(": ")).find_map(|one| reason.strip_prefix(one));
    let reason = inner.unwrap_or(reason);
    let found = PLAIN.iter().find(|(theirs, _)| reason.starts_with(theirs));
    let words = reason.split_once(" (os error ").map_or(reason, |(words, _)| words);
    found.map_or(words, |(_, ours)| ours).to_owned()
}

/// An error and its causes.
pub(super) fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |error| (*error).source())
}

/// An error and its causes in plain words, without those that only lead to the next, and each once.
#[must_use]
pub fn plain_chain(error: &(dyn Error + 'static)) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    for cause in causes(error) {
        let text = cause.to_string();
        let is_wrapper = cause.source().is_some() && WRAPPERS.iter().any(|wrapper| text.starts_with(wrapper));
        let text = plain(&text);
        if !is_wrapper && !reasons.iter().any(|before| before.contains(&text)) {
            reasons.push(text);
        }
    }
    reasons
}

/// The same in one line.
#[must_use]
pub fn plain_line(error: &(dyn Error + 'static)) -> String {
    let mut reasons = plain_chain(error);
    reasons.retain(|reason| reason != NO_CONNECTION);
    reasons.join(": ")
}

#[cfg(test)]
mod tests {
    use super::{PLAIN, plain};

    #[test]
    fn reasons_of_names_and_of_chromium_have_plain_words() {
        let unknown = "failed to lookup address information: Name or service not known";
        assert_eq!(plain(unknown), "there is no such host");
        assert_eq!(plain("net::ERR_NAME_NOT_RESOLVED"), "there is no such host");
        assert_eq!(plain("net::ERR_CERT_WEAK_KEY"), "the certificate of the server is not valid");
        assert_eq!(plain("Network is unreachable (os error 101)"), "Network is unreachable");
        assert_eq!(plain("Resource temporarily unavailable (os error 11)"), "no answer within the time limit");
        assert_eq!(plain("something new"), "something new");
    }

    #[test]
    fn no_line_of_the_list_hides_a_later_one() {
        for (number, (later, _)) in PLAIN.iter().enumerate() {
            let hiding = PLAIN[..number].iter().find(|(earlier, _)| later.starts_with(earlier));
            assert_eq!(hiding, None, "{later}");
        }
    }
}
