//! On which names in checked configuration no permission rests, because the component itself said what stands there: a note in it, kept
//! from the check to Configure. Another build of the component says something else, and would not know it for its predecessor's word.

use bulkhead_value::Object;

use super::properties::strings;

/// What the note is called.
const UNSAID: &str = "__bulkhead_unsaid";

/// Configuration with that note, if there is anything to note.
pub(super) fn with_unsaid(mut configuration: Object, names: Vec<String>) -> Object {
    configuration.remove(UNSAID);
    if !names.is_empty() {
        configuration.insert(UNSAID.to_owned(), strings(names));
    }
    configuration
}

/// What is noted there.
pub(super) fn unsaid(configuration: &Object) -> Vec<String> {
    let noted = configuration.get(UNSAID).and_then(|noted| noted.plain().as_list());
    noted
        .into_iter()
        .flat_map(|noted| noted.iter())
        .filter_map(|name| name.plain().as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use bulkhead_value::Value;

    use super::super::internal_keys::hidden;
    use super::*;

    #[test]
    fn what_nobody_said_is_noted_beside_configuration_and_read_again() {
        let names = || vec!["endpoint".to_owned(), "server.host".to_owned()];
        let noted = with_unsaid(Object::from([("endpoint", Value::from("x"))]), names());
        assert_eq!((unsaid(&noted), hidden(noted.clone()).len()), (names(), 1));
        assert_eq!(unsaid(&with_unsaid(noted, Vec::new())), [""; 0], "it is said by now");
    }
}
