//! The generator itself: *x(n) = x(n − 607) + x(n − 273)* modulo 2⁶⁴. It is computed in blocks of a whole register, so
//! that no position depends on a variable.

use std::sync::OnceLock;

use super::{jump, minimal_standard::MinimalStandard};

/// The longer lag, which is also the number of values in the register.
pub(super) const LENGTH: usize = 607;
/// The shorter lag.
pub(super) const TAP: usize = 273;

/// The register as it is addressed when it is seeded.
pub(super) type Register = [u64; LENGTH];
/// Values that follow each other in the sequence, the oldest first.
pub(super) type Window = [u64; LENGTH];

/// A stream of 64-bit numbers, fixed by its seed.
pub(super) struct Source {
    window: Window,
    unread: std::array::IntoIter<u64, LENGTH>,
}

impl Source {
    /// The stream of a seed. Seeds that are equal modulo 2³¹ − 1 give the same one.
    pub(super) fn new(seed: i64) -> Self {
        static TABLE: OnceLock<Register> = OnceLock::new();

        let mut register = *TABLE.get_or_init(jump::table);
        let mut numbers = MinimalStandard::new(seed);
        for element in &mut register {
            *element ^= numbers.overlay(20);
        }
        let window = following(&chronological(register));
        Self { window, unread: window.into_iter() }
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        loop {
            if let Some(value) = self.unread.next() {
                return value;
            }
            self.window = following(&self.window);
            self.unread = self.window.into_iter();
        }
    }
}

/// The 607 values of the sequence that follow 607 others.
pub(super) fn following(window: &Window) -> Window {
    let mut sums = *window;
    let (first, rest) = sums.split_at_mut(TAP);
    let (second, third) = rest.split_at_mut(TAP);
    // The value of the shorter lag stands in the part before; for the first part that is the end of the old window.
    add(first, window.iter().skip(LENGTH - TAP));
    add(second, first.iter());
    add(third, second.iter());
    sums
}

fn add<'a>(sums: &mut [u64], terms: impl Iterator<Item = &'a u64>) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum = sum.wrapping_add(*term);
    }
}

/// A register in the order of its values' age: the generator walks it downwards, starting below the 334th position.
pub(super) fn chronological(mut register: Register) -> Window {
    register.reverse();
    register.rotate_left(TAP);
    register
}

/// The inverse of [`chronological`].
pub(super) fn positional(mut window: Window) -> Register {
    window.rotate_right(TAP);
    window.reverse();
    window
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `math/rand` of Go 1.26.8: a seed, the first two numbers of `rand.NewSource(seed)`, the thousandth.
    const STREAMS: [(i64, u64, u64, u64); 8] = [
        (1, 0x4d65_8221_07fc_fd52, 0x7862_9a0f_5f3f_164f, 0xb9af_a3de_e7a8_15d2),
        (0, 0x78fc_2ffa_c2fd_9401, 0x1f5b_0412_ffd3_41c0, 0xefe6_67ca_3648_1c3e),
        (-1, 0xb295_81df_0803_02ac, 0x87a2_99f0_5f40_e9af, 0x463f_a620_e7b7_ea26),
        (42, 0xafbf_64b1_967f_8c53, 0x8872_b44b_9fbb_971b, 0x8e43_fd86_300f_64df),
        (2_147_483_647, 0x78fc_2ffa_c2fd_9401, 0x1f5b_0412_ffd3_41c0, 0xefe6_67ca_3648_1c3e),
        (i64::MAX, 0x4d65_8221_07fc_fd52, 0x7862_9a0f_5f3f_164f, 0xb9af_a3de_e7a8_15d2),
        (i64::MIN, 0x6a99_fa1d_cb7d_7dcf, 0xde0d_4d54_c03b_ce8f, 0xae8b_00a7_e5c1_a2a8),
        (1_234_567_890_123, 0xa50b_b5d7_b46e_1933, 0x2100_4e4e_f7e4_d0fc, 0x8438_01b4_33de_b071),
    ];

    #[test]
    fn streams_equal_those_of_go() {
        for (seed, first, second, thousandth) in STREAMS {
            let mut source = Source::new(seed);
            assert_eq!(source.next(), first, "the first number of seed {seed}");
            assert_eq!(source.next(), second, "the second number of seed {seed}");
            assert_eq!((2..1000).map(|_| source.next()).last(), Some(thousandth), "the thousandth of seed {seed}");
        }
    }

    #[test]
    fn positions_and_ages_are_inverse() {
        let register: Register = std::array::from_fn(|position| position as u64);
        assert_eq!(positional(chronological(register)), register);
    }
}
