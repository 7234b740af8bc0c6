//! Whom is trusted? The authorities that the machine trusts, and those of a file that the operator names. Certificates
//! are always checked: there is no switch to leave it out.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::{ClientConfig, RootCertStore};

use super::FetcherError;

/// How connections are kept private, with HTTP/2 where the server speaks it.
pub(super) fn config(ca: Option<&Path>) -> Result<ClientConfig, FetcherError> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!(%error, "cannot read all certificates of the machine");
    }
    roots.add_parsable_certificates(found.certs);
    if let Some(path) = ca {
        let wrong = |source| FetcherError::Ca { path: path.to_owned(), source };
        let own =
            CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(wrong)?;
        let (added, _) = roots.add_parsable_certificates(own);
        if added == 0 {
            return Err(wrong(pem::Error::NoItemsFound));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
