//! Everything that goes through a whole value, without recursion.
//!
//! A peer or a guest decides how deep a value is, and a stack overflow can't be caught. So whatever visits the values
//! below a value keeps its own stack, here and in [`wire`](crate::wire), beyond the few levels that most have.

mod children;
mod compare;
mod dismantle;
mod duplicate;
mod print;
mod reveal;
mod settle;
mod walk;

pub(crate) use children::{Children, Step};
pub(crate) use compare::{all_same, same_number};
pub(crate) use dismantle::dismantle;
pub(crate) use duplicate::duplicate;
pub(crate) use print::{print_list, print_object, print_output};
pub(crate) use reveal::reveal;
pub(crate) use settle::{drop_unknown_ids, drop_unknown_secrets, settle};
pub(crate) use walk::{Walk, holds, is_secret, lacks_content, place};

#[cfg(test)]
mod tests;
