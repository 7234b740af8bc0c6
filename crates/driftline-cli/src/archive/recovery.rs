//! What did a crash leave behind, and what became of it? Told on stderr by whichever command came first.

use driftline_archive::archive::{Recovery, Tear};

use crate::tell;

/// Says what was put in order.
pub(super) fn tell(recovery: &Recovery) {
    if recovery.adopted > 0 {
        let were = if recovery.adopted == 1 { "capture was" } else { "captures were" };
        warn(&format!("{} {were} in the segments and not in the catalog; now the catalog knows", recovery.adopted));
    }
    let place = |tear: &Tear| format!("{} bytes at byte {} of `{}`", tear.bytes, tear.offset, tear.segment);
    for tear in &recovery.cut {
        warn(&format!("a torn end was cut off: {}; it was never acknowledged", place(tear)));
    }
    for tear in &recovery.set_aside {
        warn(&format!(
            "a torn end was cut off that may have records in it: {}; it is in `{}.torn` beside the segment\nhint: if the \
             catalog was lost or is an old copy, `driftline archive import` takes that file",
            place(tear),
            tear.segment
        ));
    }
    for tear in &recovery.damaged {
        warn(&format!("there is damage, which was left as it is: {}", place(tear)));
    }
    for tear in &recovery.missing {
        warn(&format!(
            "the catalog knows bytes that are not there: {}\nhint: `driftline archive verify` names the captures; \
             bring the file back from a backup",
            place(tear)
        ));
    }
    for file in &recovery.swept {
        warn(&format!("an interrupted compaction left `{file}`; it was swept up"));
    }
}

fn warn(message: &str) {
    tell::warning(message);
}
