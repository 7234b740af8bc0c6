//! Whom do connections to targets trust? Whom the machine trusts, and whoever the operator names.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// No file with authorities is longer.
const MOST_BYTES: u64 = 1 << 20;

/// How connections are kept private.
pub(super) fn config(authorities: Option<&PathBuf>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(path) = authorities {
        for certificate in read(path)? {
            roots.add(certificate).map_err(|error| error.to_string())?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| error.to_string())?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

fn read(path: &PathBuf) -> Result<Vec<CertificateDer<'static>>, String> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    let certificates = CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>();
    let certificates = certificates.map_err(|error| format!("it is no PEM: {error}"))?;
    if certificates.is_empty() { Err("there is no certificate in it, as PEM".to_owned()) } else { Ok(certificates) }
}
