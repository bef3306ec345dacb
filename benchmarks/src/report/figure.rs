//! Figures with as many digits as they are worth.

/// A figure with three significant digits, whatever its size; whole from 100 on.
pub(crate) fn figure(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn three_digits_are_enough() {
        for (value, shown) in [
            (12_345.6, "12346"),
            (123.4, "123"),
            (12.34, "12.3"),
            (1.234, "1.23"),
            (0.1234, "0.123"),
            (0.0123, "0.0123"),
        ] {
            assert_eq!(figure(value), shown);
        }
    }
}
