//! Every seed is mixed with a table of 607 numbers, which is defined as the state of the generator after 7.8·10¹² steps:
//! too many to take one by one, and copied numbers would have to be believed. The recurrence is linear, so the steps can
//! be jumped: the state after *n* of them follows from *xⁿ* modulo the characteristic polynomial, some thirty squarings
//! away.

use super::{
    minimal_standard::MinimalStandard,
    source::{LENGTH, Register, TAP, chronological, following, positional},
};

/// How many steps the table is away from its seed.
const STEPS: u64 = 7_800_000_000_000;

/// The table, in the order in which a register is addressed.
pub(super) fn table() -> Register {
    let mut numbers = MinimalStandard::new(1);
    let start = chronological(std::array::from_fn(|_| numbers.overlay(10)));
    let known: Vec<u64> = start.into_iter().chain(following(&start)).collect();

    let power = power_of_x(STEPS);
    let mut state = [0; LENGTH];
    for (value, window) in state.iter_mut().zip(known.windows(LENGTH)) {
        *value = dot(&power, window);
    }
    // The register is a ring, and each step moves its beginning back by one.
    let mut table = positional(state);
    table.rotate_left((STEPS % LENGTH as u64) as usize);
    table
}

/// The coefficients of *x* to the given power, lowest first, modulo *x⁶⁰⁷ − x³³⁴ − 1* and modulo 2⁶⁴.
fn power_of_x(exponent: u64) -> Vec<u64> {
    // As many leading bits as make a degree below the modulus' are a power that needs no multiplication.
    let mut pending = 0;
    while exponent >> pending >= LENGTH as u64 {
        pending += 1;
    }
    let mut power: Vec<u64> = (0..LENGTH as u64).map(|degree| u64::from(degree == exponent >> pending)).collect();
    for bit in (0..pending).rev() {
        let mut product = square(&power);
        if (exponent >> bit) & 1 == 1 {
            product.insert(0, 0);
        }
        power = reduce(product);
    }
    power
}

fn square(factor: &[u64]) -> Vec<u64> {
    let mut product = vec![0_u64; 2 * factor.len()];
    for (degree, coefficient) in factor.iter().enumerate() {
        // A pair of different coefficients occurs twice.
        let twice = coefficient.wrapping_mul(2);
        let terms = factor.iter().skip(degree + 1).map(|other| twice.wrapping_mul(*other));
        let terms = std::iter::once(coefficient.wrapping_mul(*coefficient)).chain(terms);
        for (sum, term) in product.iter_mut().skip(2 * degree).zip(terms) {
            *sum = sum.wrapping_add(term);
        }
    }
    product
}

/// Takes multiples of the characteristic polynomial away, from the highest degree down.
fn reduce(mut product: Vec<u64>) -> Vec<u64> {
    while product.len() > LENGTH
        && let Some(leading) = product.pop()
    {
        let degree = product.len();
        for lag in [TAP, LENGTH] {
            if let Some(coefficient) = product.get_mut(degree - lag) {
                *coefficient = coefficient.wrapping_add(leading);
            }
        }
    }
    product
}

fn dot(left: &[u64], right: &[u64]) -> u64 {
    left.iter().zip(right).fold(0, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)))
}

#[cfg(test)]
mod tests {
    use crc::{CRC_64_GO_ISO, CRC_64_XZ, Crc};

    use super::*;

    #[test]
    fn the_whole_table_is_that_of_go() {
        // Two checksums over the 607 little-endian numbers that stand in `math/rand/rng.go` of Go 1.26.8.
        let bytes: Vec<u8> = table().iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(Crc::<u64>::new(&CRC_64_XZ).checksum(&bytes), 0x89f9_b672_c88b_d994);
        assert_eq!(Crc::<u64>::new(&CRC_64_GO_ISO).checksum(&bytes), 0x8d55_9cf4_a298_fc18);
    }

    #[test]
    fn a_jump_is_as_many_steps() {
        let start: Register = std::array::from_fn(|age| age as u64);
        let known: Vec<u64> = start.into_iter().chain(following(&start)).collect();
        for steps in [0, 1, 606, 607] {
            assert_eq!(Some(&dot(&power_of_x(steps), &start)), known.get(steps as usize), "{steps} steps");
        }
        let mut far = start;
        for _ in 0..5 {
            far = following(&far);
        }
        assert_eq!(Some(&dot(&power_of_x(5 * 607 + 100), &start)), far.get(100));
    }
}
