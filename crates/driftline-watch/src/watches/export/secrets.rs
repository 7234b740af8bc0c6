//! What of a watch is secret? What is sent to prove who asks; not where that is kept.

use std::sync::Arc;

use driftline_fetch::Secret;
use driftline_fetch::{Auth, How};

use crate::watches::{Settings, Watch};

/// The same watch without headers, cookies, proxies, passwords and tokens; `env:NAME` and `file:PATH` stay, which only
/// say where they are kept.
#[must_use]
pub fn without_secrets(watch: &Watch) -> Watch {
    if !has_secrets(watch) {
        return watch.clone();
    }
    let mut fetch = watch.settings.fetch.clone();
    fetch.headers.retain(|_, value| is_reference(value));
    fetch.cookies.retain(|_, value| is_reference(value));
    fetch.proxy = fetch.proxy.filter(is_reference);
    fetch.auth = fetch.auth.filter(|auth| is_reference(kept(auth)));
    Watch { settings: Arc::new(Settings { fetch, ..Settings::clone(&watch.settings) }), ..watch.clone() }
}

/// What stands in the place of a secret where people are shown what is set.
const HIDDEN: &str = "(not shown)";

/// The same watch with the names of all that it sends to prove who asks, and without the values.
#[must_use]
pub fn with_hidden_secrets(watch: &Watch) -> Watch {
    if !has_secrets(watch) {
        return watch.clone();
    }
    let mut fetch = watch.settings.fetch.clone();
    let How { headers, cookies, proxy, auth, .. } = &mut fetch;
    let auth = auth.as_mut().map(|auth| match auth {
        Auth::Basic { password, .. } => password,
        Auth::Bearer { token } => token,
    });
    let secrets = headers.values_mut().chain(cookies.values_mut()).chain(proxy).chain(auth);
    secrets.filter(|secret| !is_reference(secret)).for_each(|secret| *secret = HIDDEN.into());
    Watch { settings: Arc::new(Settings { fetch, ..Settings::clone(&watch.settings) }), ..watch.clone() }
}

/// Does a watch hold what [`without_secrets`] leaves out?
#[must_use]
pub fn has_secrets(watch: &Watch) -> bool {
    let How { headers, cookies, proxy, auth, .. } = &watch.settings.fetch;
    let values = headers.values().chain(cookies.values()).chain(proxy).chain(auth.as_ref().map(kept));
    values.into_iter().any(|value| !is_reference(value))
}

/// What of it is secret.
pub(in crate::watches) fn kept(auth: &Auth) -> &Secret {
    match auth {
        Auth::Basic { password, .. } => password,
        Auth::Bearer { token } => token,
    }
}

/// Is it written as where it is kept, in the environment or in a file of this machine?
pub(in crate::watches) fn is_reference(secret: &Secret) -> bool {
    let written = secret.written();
    written.starts_with("env:") || written.starts_with("file:")
}
