//! Where does a value lie along an axis, and which values get a tick?
//!
//! Ticks are multiples of 1, 2 or 5 times a power of ten, or powers of two on a log axis.
//! A range taken from the data grows to the next tick on either side, so the first and last
//! labels say where the axis ends.

use super::{Axis, PlotError, Scale};

/// Larger values are not drawn: their differences would overflow.
const LARGEST: f64 = 1e150;
/// Shorter ranges, as a share of their larger end, drown in rounding.
const SHORTEST: f64 = 1e-9;
/// Steps between the ticks that a range taken from the data is grown to.
const AUTO_STEPS: usize = 5;

/// An axis whose range is settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ruler {
    scale: Scale,
    from: f64,
    to: f64,
}

impl Ruler {
    /// The axis over its own range, or over the values that can be drawn.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Result<Self, PlotError> {
        let Some((from, to)) = axis.range else {
            return Ok(Self::around(axis.scale, values));
        };
        let ruler = Self { scale: axis.scale, from, to };
        if ruler.drawable(from) && ruler.drawable(to) && from < to && !too_short(from, to) {
            return Ok(ruler);
        }
        Err(PlotError::Range { label: axis.label.clone(), from, to })
    }

    /// The range of the values, grown to the next tick on either side.
    pub(super) fn around(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let unsettled = Self { scale, from: 0.0, to: 0.0 };
        let drawable = values.filter(|value| unsettled.drawable(*value));
        let ends = drawable.fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        let (from, to) = match (scale, ends) {
            (Scale::Linear | Scale::Whole, ends) => grow_linear(ends.unwrap_or((0.0, 1.0))),
            (Scale::Log2, ends) => grow_log2(ends.unwrap_or((1.0, 2.0))),
            (Scale::Log10, ends) => grow_log10(ends.unwrap_or((1.0, 10.0))),
        };
        Self { scale, from, to }
    }

    /// The place of a value from 0 (start) to 1 (end), beyond them outside the range; none
    /// for a value that has no place.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let share = |from: f64, to: f64, value: f64| (value - from) / (to - from);
        self.drawable(value).then(|| match self.scale {
            Scale::Linear | Scale::Whole => share(self.from, self.to, value),
            Scale::Log2 | Scale::Log10 => share(self.from.log2(), self.to.log2(), value.log2()),
        })
    }

    /// At most `most` ticks, from the start to the end.
    pub(super) fn ticks(&self, most: usize) -> Vec<Tick> {
        let ticks = match self.scale {
            Scale::Linear => Vec::new(),
            Scale::Whole => return whole_ticks(self.from, self.to, most),
            Scale::Log2 => log2_ticks(self.from, self.to, most),
            Scale::Log10 => log10_ticks(self.from, self.to, most),
        };
        if ticks.len() > 1 { ticks } else { linear_ticks(self.from, self.to, most) }
    }

    /// The most ticks, up to 12, of which no two neighbours need more room than they have.
    pub(super) fn fitting(&self, length: f64, extent: impl Fn(&str) -> f64) -> Vec<Tick> {
        let place = |tick: &Tick| self.place(tick.value).unwrap_or_default() * length;
        let fits = |pair: &[Tick]| {
            let gap = place(&pair[1]) - place(&pair[0]);
            f64::midpoint(extent(&pair[0].label), extent(&pair[1].label)) <= gap
        };
        let mut choices = (2..=12).rev().map(|most| self.ticks(most));
        let fitting = choices.find(|ticks| ticks.windows(2).all(fits));
        fitting.unwrap_or_else(|| self.ticks(2).into_iter().take(1).collect())
    }

    fn drawable(&self, value: f64) -> bool {
        value.abs() < LARGEST && (matches!(self.scale, Scale::Linear | Scale::Whole) || value > 1.0 / LARGEST)
    }
}

/// A labelled value on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// Values as they stand above bars: all with the decimals that give the largest three
/// digits, or with three digits of their own where that would leave a zero.
pub(super) fn alike(values: &[f64]) -> Vec<String> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let largest = finite.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let step = |value: f64| 10f64.powi(if value == 0.0 { 0 } else { magnitude(value) - 2 });
    let words = |value: f64| {
        if value.is_nan() || value.is_infinite() {
            return "n/a".to_owned();
        }
        let common = step(largest);
        let lost = value != 0.0 && value.abs() < common / 2.0;
        number(value, if lost { step(value) } else { common })
    };
    values.iter().copied().map(words).collect()
}

fn too_short(from: f64, to: f64) -> bool {
    to - from < SHORTEST * from.abs().max(to.abs()).max(1.0 / LARGEST)
}

fn grow_linear((low, high): (f64, f64)) -> (f64, f64) {
    let (low, high) = if too_short(low, high) {
        let margin = if low.abs() < 1.0 / LARGEST { 1.0 } else { low.abs() / 2.0 };
        (low - margin, high + margin)
    } else {
        (low, high)
    };
    let step = linear_step(low, high, AUTO_STEPS + 1);
    // A value on a tick, up to rounding, is already an end.
    let (first, last) = ((low / step + 1e-6).floor(), (high / step - 1e-6).ceil());
    (first * step, last * step)
}

fn grow_log2((low, high): (f64, f64)) -> (f64, f64) {
    let (first, last) = (low.log2().floor(), high.log2().ceil());
    let margin = if first < last { 0.0 } else { 1.0 };
    ((first - margin).exp2(), (last + margin).exp2())
}

fn grow_log10((low, high): (f64, f64)) -> (f64, f64) {
    let (first, last) = ((low.log10() + 1e-9).floor(), (high.log10() - 1e-9).ceil());
    let margin = if first < last { 0.0 } else { 1.0 };
    (10_f64.powf(first - margin), 10_f64.powf(last + margin))
}

/// The smallest round step that needs at most `most` ticks, whichever way they fall.
fn linear_step(from: f64, to: f64, most: usize) -> f64 {
    let at_least = (to - from) / most.saturating_sub(1).max(1) as f64 * (1.0 - 1e-6);
    let power = 10f64.powf(at_least.log10().floor());
    let round = [1.0, 2.0, 5.0].map(|factor| factor * power);
    round.into_iter().find(|step| *step >= at_least).unwrap_or(10.0 * power)
}

fn linear_ticks(from: f64, to: f64, most: usize) -> Vec<Tick> {
    let step = linear_step(from, to, most);
    let (first, last) = ((from / step - 1e-6).ceil(), (to / step + 1e-6).floor());
    let multiples = (0_u8..=u8::MAX).map(|index| first + f64::from(index));
    let values = multiples.take_while(|multiple| *multiple <= last).map(|multiple| multiple * step);
    values.map(|value| Tick { value, label: number(value, step) }).collect()
}

/// No step is shorter than 1.
fn whole_ticks(from: f64, to: f64, most: usize) -> Vec<Tick> {
    #[expect(clippy::cast_sign_loss, reason = "a range rises")]
    let steps = (to - from).floor() as usize;
    let mut ticks = linear_ticks(from, to, most.min(steps.saturating_add(1)));
    ticks.retain(|tick| tick.value.fract() == 0.0);
    ticks
}

fn log2_ticks(from: f64, to: f64, most: usize) -> Vec<Tick> {
    let first = (from.log2() - 1e-9).ceil() as i32;
    let last = (to.log2() + 1e-9).floor() as i32;
    let count = usize::try_from(last - first + 1).unwrap_or(0);
    let stride = count.div_ceil(most.max(1)).max(1);
    let powers = (first..=last).step_by(stride);
    powers.map(|power| Tick { value: f64::from(power).exp2(), label: power_of_two(power) }).collect()
}

/// Powers of ten, between them 2 and 5 where there is room, or only every so many powers.
fn log10_ticks(from: f64, to: f64, most: usize) -> Vec<Tick> {
    let (first, last) = (from.log10().floor() as i32, to.log10().ceil() as i32);
    let inside = |tick: &Tick| (from * (1.0 - 1e-9)..=to * (1.0 + 1e-9)).contains(&tick.value);
    let ticks = |digits: &[u8], stride: usize| -> Vec<Tick> {
        let powers = (first..=last).step_by(stride);
        powers.flat_map(|power| digits.iter().map(move |&digit| round(digit, power))).filter(inside).collect()
    };
    let dense = ticks(&[1, 2, 5], 1);
    if dense.len() <= most {
        return dense;
    }
    let count = usize::try_from(last - first + 1).unwrap_or(1);
    let mut strides = (1..=count).map(|stride| ticks(&[1], stride));
    strides.find(|ticks| ticks.len() <= most).unwrap_or_default()
}

/// 0.001 to 50000 in digits, anything else with a power.
fn round(digit: u8, power: i32) -> Tick {
    let value = f64::from(digit) * 10_f64.powi(power);
    let label = match digit {
        _ if (-3..5).contains(&power) => format!("{value:.decimals$}", decimals = usize::try_from(-power).unwrap_or(0)),
        1 => format!("10{}", superscript(power)),
        digit => format!("{digit}·10{}", superscript(power)),
    };
    Tick { value, label }
}

/// A number with as many decimals as its step needs.
fn number(value: f64, step: f64) -> String {
    let value = if value.abs() < step / 2.0 { 0.0 } else { value };
    let text = if value.abs() >= 1e7 || (step < 1e-6 && value != 0.0) {
        let digits = usize::try_from(magnitude(value) - magnitude(step)).unwrap_or(0);
        format!("{value:.digits$e}")
    } else {
        let decimals = usize::try_from(-magnitude(step)).unwrap_or(0).min(9);
        format!("{value:.decimals$}")
    };
    text.replace('-', "\u{2212}")
}

/// The power of ten a number starts in; a step of 0.1 is not 0.0999.
fn magnitude(value: f64) -> i32 {
    // Below the smallest normal numbers powers of ten would be zero.
    (value.abs().log10() + 1e-9).floor().max(-300.0) as i32
}

/// 0.125 to 524288 in digits, anything else as a power.
fn power_of_two(power: i32) -> String {
    if (-3..20).contains(&power) {
        return f64::from(power).exp2().to_string();
    }
    format!("2{}", superscript(power))
}

fn superscript(power: i32) -> String {
    let digit = |digit| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
        other => other,
    };
    power.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    fn around(scale: Scale, values: &[f64]) -> Ruler {
        Ruler::around(scale, values.iter().copied())
    }

    #[test]
    fn fifty_to_950_words_are_shown_on_0_to_1000() {
        let ruler = around(Scale::Linear, &[50.0, 950.0]);
        assert_eq!(labels(&ruler.ticks(6)), ["0", "200", "400", "600", "800", "1000"]);
    }

    #[test]
    fn shares_get_the_decimals_their_step_needs() {
        let ruler = around(Scale::Linear, &[0.0, 1.0]);
        assert_eq!(labels(&ruler.ticks(6)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&ruler.ticks(3)), ["0.0", "0.5", "1.0"]);
    }

    #[test]
    fn a_log_axis_has_powers_of_two() {
        let ruler = around(Scale::Log2, &[4.0, 8192.0]);
        assert_eq!(labels(&ruler.ticks(6)), ["4", "16", "64", "256", "1024", "4096"]);
        assert_eq!(labels(&around(Scale::Log2, &[0.0625, 1e6]).ticks(2)), ["2⁻⁴", "512"]);
    }

    #[test]
    fn a_log10_axis_has_round_numbers() {
        let ruler = around(Scale::Log10, &[0.013, 0.04]);
        assert_eq!(labels(&ruler.ticks(6)), ["0.01", "0.02", "0.05", "0.1"]);
        let ruler = around(Scale::Log10, &[64.0, 2e7]);
        assert_eq!(labels(&ruler.ticks(9)), ["10", "100", "1000", "10000", "10⁵", "10⁶", "10⁷", "10⁸"]);
        assert_eq!(labels(&ruler.ticks(4)), ["10", "1000", "10⁵", "10⁷"]);
    }

    #[test]
    fn a_narrow_log_range_falls_back_to_round_numbers() {
        let axis = Axis::log2("words").within(1100.0, 1900.0);
        let ruler = Ruler::new(&axis, std::iter::empty()).unwrap();
        assert_eq!(labels(&ruler.ticks(4)), ["1500"]);
        assert!(ruler.ticks(9).len() > 4);
    }

    #[test]
    fn strange_data_still_make_a_rising_range() {
        let strange: [&[f64]; 7] =
            [&[], &[f64::NAN], &[7.0], &[0.0, 0.0], &[f64::MAX, -f64::MAX], &[1e-300, 2e-300], &[-5.0, -5.0 + 1e-15]];
        for values in strange {
            for scale in [Scale::Linear, Scale::Log2, Scale::Log10] {
                let ruler = around(scale, values);
                assert!(ruler.from < ruler.to, "{values:?} {scale:?} {ruler:?}");
                assert!((1..=12).contains(&ruler.ticks(12).len()), "{values:?} {scale:?}");
            }
        }
    }

    #[test]
    fn a_range_that_shows_nothing_is_refused() {
        let refused = |axis: Axis| Ruler::new(&axis, std::iter::empty()).is_err();
        assert!(refused(Axis::linear("x").within(1.0, 1.0)));
        assert!(refused(Axis::linear("x").within(2.0, 1.0)));
        assert!(refused(Axis::linear("x").within(0.0, f64::NAN)));
        assert!(refused(Axis::log2("x").within(0.0, 8.0)));
    }

    #[test]
    fn values_without_a_place_have_none() {
        let ruler = around(Scale::Log2, &[1.0, 4.0]);
        assert_eq!(ruler.place(2.0), Some(0.5));
        assert_eq!(ruler.place(0.0), None);
        assert_eq!(ruler.place(f64::NAN), None);
    }

    #[test]
    fn values_above_bars_share_their_decimals() {
        assert_eq!(alike(&[0.4, 0.032, -0.5, 0.0]), ["0.400", "0.032", "−0.500", "0.000"]);
        assert_eq!(alike(&[1234.5, 0.25, f64::NAN]), ["1234", "0.250", "n/a"]);
        assert_eq!(alike(&[0.0, 0.0]), ["0", "0"]);
    }
}
