//! `LOC`: where something is on the earth.

use super::text::Word;

/// Thousandths of an arc second in a degree.
const DEGREE: u64 = 3_600_000;
/// The least altitude, in centimetres.
const DEPTH: f64 = 10_000_000.0;

/// The server's spelling: degrees, minutes, seconds and direction twice, altitude, size and two precisions in metres.
pub(super) fn spell(words: &[Word]) -> Result<String, String> {
    let words: Option<Vec<&str>> = words.iter().map(Word::bare).collect();
    let words = words.ok_or("it has no strings in quotes")?;
    let (latitude, rest) = angle(&words, &["N", "S"], 90).ok_or("the latitude must be such as 51 30 12.748 N")?;
    let (longitude, rest) = angle(rest, &["E", "W"], 180).ok_or("the longitude must be such as 0 7 39.611 W")?;
    let [altitude, sizes @ ..] = rest else { return Err("the altitude is missing, such as 10m".to_owned()) };
    let altitude = metres(altitude).filter(|metres| (-DEPTH / 100.0..=42_849_672.95).contains(metres));
    let altitude = altitude.ok_or("the altitude must be metres, from -100000 to 42849672.95")?;
    if sizes.len() > 3 {
        return Err("after the altitude come the size and two precisions".to_owned());
    }
    let mut spelled = format!("{latitude} {longitude} {altitude:.2}m");
    for (at, default) in [1.0, 10_000.0, 10.0].into_iter().enumerate() {
        let given = match sizes.get(at) {
            Some(text) => metres(text).filter(|metres| (0.0..=90_000_000.0).contains(metres)),
            None => Some(default),
        };
        let given = given.ok_or("sizes and precisions must be metres, from 0 to 90000000")?;
        spelled.push_str(&format!(" {:.2}m", rounded(given)));
    }
    Ok(spelled)
}

/// Degrees, perhaps minutes, perhaps seconds, and one of two directions.
fn angle<'a, 'b>(words: &'b [&'a str], directions: &[&str], greatest: u64) -> Option<(String, &'b [&'a str])> {
    let end = words.iter().position(|word| directions.iter().any(|other| other.eq_ignore_ascii_case(word)))?;
    let (parts, rest) = words.split_at(end);
    let (direction, rest) = rest.split_first()?;
    let (degrees, minutes, seconds) = match parts {
        [degrees] => (degrees, "0", "0"),
        [degrees, minutes] => (degrees, *minutes, "0"),
        [degrees, minutes, seconds] => (degrees, *minutes, *seconds),
        _ => return None,
    };
    let (degrees, minutes) = (degrees.parse::<u64>().ok()?, minutes.parse::<u64>().ok()?);
    let milliseconds = thousandths(seconds)?;
    let total = degrees.checked_mul(DEGREE)?.checked_add(minutes.checked_mul(60_000)?)?.checked_add(milliseconds)?;
    if minutes > 59 || milliseconds > 59_999 || total > greatest * DEGREE {
        return None;
    }
    let (whole, part) = (milliseconds / 1000, milliseconds % 1000);
    Some((format!("{degrees} {minutes} {whole}.{part:03} {}", direction.to_ascii_uppercase()), rest))
}

/// A decimal number with up to three decimals, in thousandths.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain(whole) || !is_plain(part) || part.len() > 3 {
        return None;
    }
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(format!("{part:0<3}").parse().ok()?)
}

fn metres(text: &str) -> Option<f64> {
    let digits = text.strip_suffix(['m', 'M']).unwrap_or(text);
    let is_plain =
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    if is_plain { digits.parse().ok() } else { None }
}

/// Sizes travel as one digit and a power of ten, of centimetres: the rest of them is lost.
fn rounded(metres: f64) -> f64 {
    let (mut centimetres, mut unit) = (metres * 100.0, 1.0);
    while centimetres >= 10.0 {
        centimetres /= 10.0;
        unit *= 10.0;
    }
    // A hundred metres divided by ten twice is a little less than a hundred.
    (centimetres + 1e-9).floor() * unit / 100.0
}
