//! The measurements, one file each. All contenders take their turns within each round, and every other round in the opposite order.

mod attacked;
mod calls;
mod floor;
mod many;
mod memory;
mod run;
mod samples;
mod sizes;
mod startup;
mod together;
mod turns;
mod values;

pub(crate) use run::run;
