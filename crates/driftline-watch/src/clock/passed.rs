//! The time that has passed since some moment, on a clock that nobody sets. The time of a suspension counts.

use std::time::Duration;

/// On Linux the clock that goes on while the machine is suspended; elsewhere `CLOCK_MONOTONIC`, which does so on macOS.
#[cfg(unix)]
pub(super) fn passed() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    #[cfg(any(target_os = "linux", target_os = "android"))]
    const CLOCK: ClockId = ClockId::Boottime;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const CLOCK: ClockId = ClockId::Monotonic;

    // Both are counted from a start of the machine: neither is negative.
    Duration::try_from(clock_gettime(CLOCK)).unwrap_or_default()
}

#[cfg(not(unix))]
pub(super) fn passed() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
