//! An S3-compatible store: which bucket, and with which keys.

use std::fmt;

use object_store::aws::{AmazonS3, AmazonS3Builder};

/// A bucket and how to reach it. Nothing here reads the environment; who wants `AWS_…` passes it in.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct S3 {
    /// The bucket.
    pub bucket: String,
    /// What stands before the names of segments; may be empty.
    pub prefix: String,
    /// The address of a store that is not Amazon's, such as `http://127.0.0.1:9000`.
    pub endpoint: Option<String>,
    /// The region; `us-east-1` if none is named.
    pub region: Option<String>,
    /// The key's id.
    pub access_key_id: Option<String>,
    /// The key.
    pub secret_access_key: Option<String>,
    /// The token of a key that expires.
    pub session_token: Option<String>,
}

impl S3 {
    /// Reads `s3://BUCKET/PREFIX`.
    #[must_use]
    pub fn parse(url: &str) -> Option<Self> {
        let (bucket, prefix) = url.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, "")))?;
        let prefix = prefix.trim_matches('/').to_owned();
        (!bucket.is_empty()).then(|| Self { bucket: bucket.to_owned(), prefix, ..Self::default() })
    }

    pub(super) fn connect(&self) -> object_store::Result<AmazonS3> {
        // The client of object_store takes the process's provider and panics without one. One that is already
        // installed is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&self.bucket)
            .with_region(self.region.as_deref().unwrap_or("us-east-1"));
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
        }
        if let (Some(id), Some(key)) = (&self.access_key_id, &self.secret_access_key) {
            builder = builder.with_access_key_id(id).with_secret_access_key(key);
        }
        if let Some(token) = &self.session_token {
            builder = builder.with_token(token);
        }
        builder.build()
    }
}

impl fmt::Display for S3 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`s3://{}/{}`", self.bucket, self.prefix)
    }
}

/// Without the keys, which would end up in logs.
impl fmt::Debug for S3 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("S3")
            .field("bucket", &self.bucket)
            .field("prefix", &self.prefix)
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::S3;

    #[test]
    fn a_bucket_and_a_prefix_are_read() {
        let parsed = S3::parse("s3://bucket/a/b/").unwrap();
        assert_eq!((parsed.bucket.as_str(), parsed.prefix.as_str()), ("bucket", "a/b"));
        assert_eq!(S3::parse("s3://bucket").map(|s3| s3.prefix), Some(String::new()));
        assert!(S3::parse("s3://").is_none() && S3::parse("/folder").is_none());
    }

    #[test]
    fn a_store_over_tls_finds_a_provider() {
        let s3 = S3 { bucket: "bucket".to_owned(), endpoint: Some("https://127.0.0.1:1".to_owned()), ..S3::default() };
        assert!(s3.connect().is_ok());
    }

    #[test]
    fn keys_are_not_shown() {
        let s3 = S3 { secret_access_key: Some("hidden".to_owned()), ..S3::default() };
        assert!(!format!("{s3:?} {s3}").contains("hidden"));
    }
}
