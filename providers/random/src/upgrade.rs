//! Stacks that were made with early versions of the native provider lack what later versions record: imports left out
//! all but the result, `numeric` came after `number`, and passwords were hashed late, for a while wrongly. What is missing
//! is filled in as the native provider fills it in, so that nothing is replaced for its sake.

use bulkhead_sdk::{Fields, Value};

use crate::bcrypt_hash::{self, HashError};

/// The schema version whose hashes can't be trusted.
const WRONG_HASHES: u32 = 2;

/// The state of a string or password, complete but for the hash. No state, as of what is imported, stays none.
pub fn text(mut state: Fields) -> Fields {
    if state.is_empty() {
        return state;
    }
    let length = state.get("result").and_then(Value::as_text).map_or(0.0, |result| result.len() as f64);
    fill(&mut state, "length", length);
    for least in ["minUpper", "minLower", "minNumeric", "minSpecial"] {
        fill(&mut state, least, 0.0);
    }
    for allowed in ["upper", "lower", "special", "number"] {
        fill(&mut state, allowed, true);
    }
    if let Some(number) = state.get("number").cloned() {
        fill(&mut state, "numeric", number);
    }
    state
}

/// The state of a password, with a hash that belongs to it.
pub fn password(from_version: u32, state: Fields) -> Result<Fields, HashError> {
    let mut state = text(state);
    if let Some(result) = state.get("result").and_then(Value::as_text) {
        let hash = state.get("bcryptHash").and_then(Value::as_text);
        let right = hash.is_some_and(|hash| from_version != WRONG_HASHES || bcrypt_hash::belongs(hash, result));
        if !right {
            let hash = bcrypt_hash::hash(result)?;
            state.insert("bcryptHash".to_owned(), Value::from(hash).secret());
        }
    }
    Ok(state)
}

fn fill(state: &mut Fields, name: &str, value: impl Into<Value>) {
    if state.get(name).is_none_or(|value| *value.plain() == Value::Null) {
        state.insert(name.to_owned(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields<const N: usize>(entries: [(&str, Value); N]) -> Fields {
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    #[test]
    fn an_import_of_old_gets_the_defaults() {
        let state = text(fields([("result", "Grüße".into()), ("upper", Value::Null)]));
        let expected = fields([
            ("result", "Grüße".into()),
            ("length", 7.into()),
            ("minUpper", 0.into()),
            ("minLower", 0.into()),
            ("minNumeric", 0.into()),
            ("minSpecial", 0.into()),
            ("upper", true.into()),
            ("lower", true.into()),
            ("special", true.into()),
            ("number", true.into()),
            ("numeric", true.into()),
        ]);
        assert_eq!(state, expected);
    }

    #[test]
    fn nothing_stays_nothing() {
        assert_eq!(text(Fields::new()), Fields::new());
        assert_eq!(password(0, Fields::new()).unwrap(), Fields::new());
    }

    #[test]
    fn what_was_recorded_stays() {
        let recorded = fields([("result", "abcde".into()), ("number", false.into()), ("minUpper", 3.into())]);
        let state = text(recorded.clone());
        for (name, value) in &recorded {
            assert_eq!(state.get(name), Some(value), "{name}");
        }
        assert_eq!(state.get("numeric"), Some(&false.into()), "numeric follows number");
        assert_eq!(text(state.clone()), state, "a second time changes nothing");
    }

    #[test]
    fn passwords_get_a_hash_if_they_have_none() {
        let state = password(0, fields([("result", Value::from("abcde").secret())])).unwrap();
        let hash = state.get("bcryptHash").unwrap();
        assert!(hash.is_secret());
        assert!(bcrypt_hash::belongs(hash.as_text().unwrap(), "abcde"));
    }

    #[test]
    fn hashes_are_replaced_only_if_they_are_wrong() {
        let right = bcrypt_hash::hash("abcde").unwrap();
        let wrong = bcrypt_hash::hash("abcdf").unwrap();
        let upgraded = |from_version, hash: &str| {
            let state =
                password(from_version, fields([("result", "abcde".into()), ("bcryptHash", hash.into())])).unwrap();
            state.get("bcryptHash").and_then(Value::as_text).unwrap().to_owned()
        };
        assert_eq!(upgraded(2, &right), right);
        assert!(bcrypt_hash::belongs(&upgraded(2, &wrong), "abcde"));
        assert_eq!(upgraded(1, &wrong), wrong, "only one version hashed wrongly");
    }
}
