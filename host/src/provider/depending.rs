//! Dependencies of a whole, said of each of its members: as many texts as there are of the one times the other. A provider has either
//! number in its hand, so the product is bounded before anything is made of it. What follows is for whoever asks.

use super::{Error, ErrorKind};

/// Bytes of dependencies that are said of all members together.
const MOST: usize = 128 << 20;
/// What each text takes beside what it says.
const EACH: usize = 48;

/// Whether so many members can each have these dependencies.
///
/// # Errors
/// Too much of them together.
pub(crate) fn each_may_depend<'a>(members: usize, on: impl IntoIterator<Item = &'a String>) -> Result<(), Error> {
    let bytes = on.into_iter().map(|urn| urn.len().saturating_add(EACH)).fold(0, usize::saturating_add);
    if bytes.saturating_mul(members) <= MOST {
        return Ok(());
    }
    let message = format!("a result of {members} members depends on too much to say so of each of them");
    Err(Error::new(ErrorKind::Exhausted, message).hint("return fewer members, or put them into one list or map"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_number_alone_is_too_much() {
        let urns = vec!["urn:pulumi:dev::project::a:b:C::name".to_owned(); 100_000];
        assert!(each_may_depend(10, &urns).is_ok());
        assert!(each_may_depend(100_000, &urns[..10]).is_ok());
        let error = each_may_depend(100_000, &urns).unwrap_err().to_string();
        assert!(error.starts_with("a result of 100000 members depends on too much"), "{error}");
        assert!(each_may_depend(usize::MAX, &urns).is_err());
    }
}
