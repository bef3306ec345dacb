//! What the kernel says about processes and the machine, read from `/proc`.

mod cpu;
mod machine;
mod memory;

pub(crate) use cpu::cpu_time;
pub(crate) use machine::{Machine, busy};
pub(crate) use memory::Memory;
