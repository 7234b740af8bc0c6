//! Session ids in paths and queries: the same page, once for each visitor.

/// A longer path or query keeps its ids: to look for them in a megabyte could take seconds.
const MOST_SEARCHED: usize = 64 << 10;

/// A query without the ids of JSP, PHP, ASP and `ColdFusion`. Of each kind the last one goes.
pub(super) fn strip_query(mut query: Vec<u8>) -> Vec<u8> {
    if query.len() > MOST_SEARCHED {
        return query;
    }
    for find in [jsp, php, sid, asp, cold_fusion] {
        let ends =
            |at: &usize| find(&query[*at..]).filter(|length| matches!(query.get(at + length), None | Some(b'&')));
        // The last that ends a parameter.
        let found = (0..query.len()).rev().find_map(|at| ends(&at).map(|length| (at, at + length)));
        if let Some((start, end)) = found {
            query.drain(start..(end + 1).min(query.len()));
        }
    }
    query
}

/// A path without the ids of ASP.NET: `/(S(…))/page.aspx` and `/(…)/page.aspx`.
pub(super) fn strip_path(mut path: Vec<u8>) -> Vec<u8> {
    if path.len() > MOST_SEARCHED {
        return path;
    }
    for find in [nested as fn(&[u8]) -> Option<usize>, single] {
        let found = memchr::memrchr_iter(b'(', &path).find_map(|at| {
            let is_step = at > 0 && path[at - 1] == b'/';
            let length = find(&path[at..]).filter(|_| is_step)?;
            is_page(&path[at + length..]).then_some((at, at + length))
        });
        if let Some((start, end)) = found {
            path.drain(start..end);
        }
    }
    path
}

/// `something.aspx…`, before any question mark.
fn is_page(rest: &[u8]) -> bool {
    let name = &rest[..memchr::memchr(b'?', rest).unwrap_or(rest.len())];
    name.get(1..).is_some_and(|name| memchr::memmem::find(name, b".aspx").is_some())
}

/// How long `(S(…)F(…))/` at the beginning is.
fn nested(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        let [letter, rest @ ..] = text.get(at..)? else { return None };
        if at > 1 && *letter == b')' {
            return rest.starts_with(b"/").then_some(at + 2);
        }
        let id = letter.is_ascii_alphabetic().then(|| bracketed(rest)).flatten()?;
        at += 1 + id;
    }
}

fn single(text: &[u8]) -> Option<usize> {
    let id = bracketed(text)?;
    (text.get(id) == Some(&b'/')).then_some(id + 1)
}

/// How long `(` with 24 letters and digits and `)` at the beginning is.
fn bracketed(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"(")?;
    let is_id = rest.get(..24)?.iter().all(u8::is_ascii_alphanumeric) && rest.get(24) == Some(&b')');
    is_id.then_some(26)
}

fn jsp(text: &[u8]) -> Option<usize> {
    named(text, b"jsessionid=")
}

fn php(text: &[u8]) -> Option<usize> {
    named(text, b"phpsessid=")
}

fn sid(text: &[u8]) -> Option<usize> {
    named(text, b"sid=")
}

/// How long the name with an id of 32 letters and digits at the beginning is.
fn named(text: &[u8], name: &[u8]) -> Option<usize> {
    let id = begins(text, name)?.get(..32)?;
    id.iter().all(u8::is_ascii_alphanumeric).then_some(name.len() + 32)
}

fn asp(text: &[u8]) -> Option<usize> {
    let rest = begins(text, b"aspsessionid")?;
    let (name, id) = (rest.get(..8)?, rest.get(9..33)?);
    let is_id = [name, id].concat().iter().all(u8::is_ascii_alphabetic) && rest[8] == b'=';
    is_id.then_some(12 + 33)
}

fn cold_fusion(text: &[u8]) -> Option<usize> {
    let rest = begins(text, b"cfid=")?;
    let id = memchr::memchr(b'&', rest).filter(|&length| length > 0)?;
    let token = begins(&rest[id + 1..], b"cftoken=")?;
    let length = memchr::memchr(b'&', token).unwrap_or(token.len());
    (length > 0).then_some(5 + id + 1 + 8 + length)
}

/// What stands behind this name, in whatever case it is written.
fn begins<'a>(text: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (own, rest) = text.split_at_checked(name.len())?;
    own.eq_ignore_ascii_case(name).then_some(rest)
}
