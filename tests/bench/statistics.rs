/// Repetitions of the same work, ours and that of a floor. They take turns, so that both meet the
/// same machine.
#[derive(Debug, Default)]
pub struct Turns {
    pub ours: Vec<f64>,
    pub floor: Vec<f64>,
}

impl Turns {
    pub fn add(&mut self, ours: f64, floor: f64) {
        self.ours.push(ours);
        self.floor.push(floor);
    }
}

/// The middle one of several measurements; of an even number, the mean of the middle two.
///
/// # Panics
/// Without any.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    } else {
        sorted[middle]
    }
}

/// The measurement that `share` (0 to 1) of all do not exceed (nearest rank).
///
/// # Panics
/// Without any measurement.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let sorted = sorted(values);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a rank lies between 1 and the number of measurements, a few thousand"
    )]
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

/// The largest of several measurements; 0 without any.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    assert!(!values.is_empty(), "something was measured");
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}
