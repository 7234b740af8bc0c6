//! Whom may a client trust? A server with TLS on loopback, with a certificate that is good, or bad in one way.
//!
//! It speaks HTTP/2 with clients that offer it.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;

use super::{Request, Response};

/// What is wrong with a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Nothing: an authority vouches for `localhost` and 127.0.0.1.
    Good,
    /// It was good until 2001.
    Expired,
    /// It will be good from 2200 on.
    NotYet,
    /// It is for `other.example`.
    OtherHost,
    /// Nobody vouches for it but itself.
    SelfSigned,
}

/// What a server shows, in PEM.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Its certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
    /// Who vouches for it, unless it is signed by itself.
    pub authority: String,
}

/// A web server with TLS, which ends when it is dropped.
#[derive(Debug)]
pub struct TlsServer {
    address: SocketAddr,
    authority: String,
    /// Everything runs on it.
    _runtime: Runtime,
}

type Answer = Arc<dyn Fn(&Request) -> Response + Send + Sync>;

impl TlsServer {
    /// Answers requests.
    ///
    /// # Panics
    /// If there is no free port on loopback.
    pub fn start(trust: Trust, answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        let identity = Identity::new(trust);
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 0))).expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let (acceptor, answer) = (TlsAcceptor::from(Arc::new(identity.config())), Arc::new(answer) as Answer);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, acceptor.clone(), Arc::clone(&answer)));
            }
        });
        Self { address, authority: identity.authority, _runtime: runtime }
    }

    /// The address of something on it: `/page`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.address.port())
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Who has to be trusted for its certificate to be good, in PEM.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.authority
    }
}

async fn serve(stream: TcpStream, acceptor: TlsAcceptor, answer: Answer) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let service = service_fn(move |request| {
        let answer = Arc::clone(&answer);
        async move { Ok::<_, Infallible>(answered(&answer, request).await) }
    });
    let io = TokioIo::new(stream);
    if is_http2 {
        let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new()).serve_connection(io, service).await;
    } else {
        let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, service).await;
    }
}

async fn answered(answer: &Answer, request: hyper::Request<Incoming>) -> hyper::Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let text = |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let request = Request {
        method: head.method.to_string(),
        path: head.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
        headers: head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
        body: body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default(),
    };
    let response = answer(&request);
    let mut built = hyper::Response::builder().status(response.status);
    for (name, value) in &response.headers {
        built = built.header(name, value);
    }
    // Which protocol was spoken: clients of tests ask.
    built = built.header("X-Protocol", format!("{:?}", head.version));
    built.body(Full::new(Bytes::from(response.body))).expect("a test answers with headers that are ones")
}

impl Identity {
    /// A new one.
    ///
    /// # Panics
    /// If no key can be made.
    #[must_use]
    pub fn new(trust: Trust) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "driftline tests");
        let key = || KeyPair::generate().expect("a key can be made");
        let authority = CertifiedIssuer::self_signed(params, key()).expect("an authority vouches for itself");

        let names = if trust == Trust::OtherHost { vec!["other.example"] } else { vec!["localhost", "127.0.0.1"] };
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let mut params = CertificateParams::new(names).expect("these are names");
        let (first, last) = match trust {
            Trust::Expired => (2000, 2001),
            Trust::NotYet => (2200, 2201),
            _ => (2000, 2200),
        };
        (params.not_before, params.not_after) = (date_time_ymd(first, 1, 1), date_time_ymd(last, 1, 1));
        let own = key();
        let signed = match trust {
            Trust::SelfSigned => params.self_signed(&own),
            _ => params.signed_by(&own, &authority),
        };
        let certificate = signed.expect("it can be signed").pem();
        Self { certificate, key: own.serialize_pem(), authority: authority.pem() }
    }

    fn config(&self) -> ServerConfig {
        let certificate = CertificateDer::from_pem_slice(self.certificate.as_bytes()).expect("it was written so");
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("it was written so");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let versions = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = versions.expect("ring has them").with_no_client_auth().with_single_cert(vec![certificate], key);
        let mut config = config.expect("the key is the certificate's");
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        config
    }
}
