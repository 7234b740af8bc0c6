//! What came? The last answer, read as a page: its body decoded within limits, and what it may be asked for again with.

use driftline_archive::Capture;
use driftline_archive::http::Response;
use reqwest::header::{CONTENT_TYPE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED};

use super::hop::Answer;
use super::{FetchError, Fetched, Request, Validators, record, retry};

/// A body without its codings.
pub(super) struct Decoded {
    pub body: Vec<u8>,
    /// Was it longer than the limit?
    pub is_cut: bool,
}

impl Validators {
    /// Whether a conditional request is possible: an address alone is not enough.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }
}

/// The page, and the captures of the way to it.
pub(super) fn fetched(
    answer: Answer,
    mut captures: Vec<Capture>,
    request: &Request<'_>,
    most: usize,
) -> Result<Fetched, FetchError> {
    let is_asked = |known: &&Validators| known.is_usable() && known.url.as_deref() == Some(answer.url.as_str());
    let known = request.validators.filter(is_asked);
    if answer.status == 304 && known.is_none() {
        return Err(FetchError::Answer(format!("`{}` says \"not modified\" without having been asked", answer.url)));
    }
    let validators = validators(&answer, request.validators);
    let Decoded { body, is_cut } = decode(&answer, most);
    let (status, url) = (answer.status, answer.url.to_string());
    let content_type = text(&answer.headers, &CONTENT_TYPE);
    let retry_after = retry::after(&answer.headers, request.at);
    let is_cut = is_cut || answer.is_cut;
    let via = captures.last().map(|capture| capture.url.clone());
    captures.push(record::capture(answer, request.at, via));
    let page = captures.len() - 1;
    Ok(Fetched { captures, page, status, url, body, content_type, validators, retry_after, is_cut })
}

/// Undoes the codings of a body, up to a limit. A body that is not coded as it claims is taken as it is.
pub(super) fn decode(answer: &Answer, most: usize) -> Decoded {
    let exchange = [record::head(answer.status, &answer.headers).as_slice(), &answer.body].concat();
    match Response::parse(&exchange, most) {
        Ok(response) => Decoded { body: response.body, is_cut: response.is_cut },
        Err(_) => Decoded { body: answer.body.clone(), is_cut: false },
    }
}

/// For the next time: what this answer says. One that is no page leaves what was known.
fn validators(answer: &Answer, known: Option<&Validators>) -> Validators {
    let own = Validators {
        url: Some(answer.url.to_string()),
        etag: text(&answer.headers, &ETAG),
        last_modified: text(&answer.headers, &LAST_MODIFIED),
    };
    match answer.status {
        200..=299 if !own.is_usable() => Validators::default(),
        200..=299 => own,
        304 => Validators {
            etag: own.etag.or_else(|| known.and_then(|known| known.etag.clone())),
            last_modified: own.last_modified.or_else(|| known.and_then(|known| known.last_modified.clone())),
            ..own
        },
        _ => known.cloned().unwrap_or_default(),
    }
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use driftline::time::Time;
    use reqwest::Version;
    use reqwest::header::HeaderMap;

    use super::super::hop::Answer;
    use super::super::{FetchError, Fetched, How, Request, Validators};

    const URL: &str = "http://a.example/";

    /// What comes of an answer with this status and no headers, if this was known.
    fn fetched(status: u16, known: &Validators) -> Result<Fetched, FetchError> {
        let answer = Answer {
            url: URL.parse().unwrap(),
            sent: HeaderMap::new(),
            credentials: driftline_archive::capture::Credentials::None,
            status,
            headers: HeaderMap::new(),
            body: Vec::new(),
            is_cut: false,
            ip: None,
            version: Version::HTTP_11,
        };
        let at = Time::from_microseconds(0);
        let request = Request { url: URL, home: None, how: &How::default(), validators: Some(known), at };
        super::fetched(answer, Vec::new(), &request, 1_000)
    }

    #[test]
    fn not_modified_is_not_believed_if_only_the_address_was_known() {
        let mut known = Validators { url: Some(URL.to_owned()), ..Validators::default() };
        assert!(matches!(fetched(304, &known), Err(FetchError::Answer(_))));
        known.etag = Some("\"1\"".to_owned());
        assert_eq!(fetched(304, &known).unwrap().validators, known);
    }

    #[test]
    fn an_answer_without_tag_and_date_leaves_nothing_to_ask_with() {
        assert_eq!(fetched(200, &Validators::default()).unwrap().validators, Validators::default());
    }
}
