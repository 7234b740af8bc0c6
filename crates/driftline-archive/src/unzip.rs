//! Why a zip cannot be read, in plain words.

use zip::result::ZipError;

/// What is wrong with a zip.
pub(crate) fn why(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => "the zip is cut off".to_owned(),
        ZipError::Io(error) => error.to_string(),
        ZipError::UnsupportedArchive(_) => "the zip is packed in a way that is not known here".to_owned(),
        ZipError::InvalidPassword => "the zip is encrypted".to_owned(),
        _ => "it is not a zip file, or it is damaged or cut off".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ZipError, why};

    #[test]
    fn a_zip_that_cannot_be_read_is_told_without_the_words_of_the_library() {
        let error = zip::ZipArchive::new(std::io::Cursor::new(b"PK".to_vec())).unwrap_err();
        assert_eq!(why(&error), "it is not a zip file, or it is damaged or cut off");
        assert_eq!(why(&ZipError::InvalidPassword), "the zip is encrypted");
    }
}
