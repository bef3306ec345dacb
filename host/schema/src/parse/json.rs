//! JSON that borrows from the text it is read from.
//!
//! A schema is read at each start, and most of it is prose that nothing is made of: strings without escapes aren't copied,
//! and members stay in the order in which they were written.

use std::{borrow::Cow, cell::Cell, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};

use crate::number;

/// A JSON value.
#[derive(Debug)]
pub(crate) enum Json<'d> {
    Null,
    Bool(bool),
    Number(f64),
    String(Cow<'d, str>),
    Array(Vec<Json<'d>>),
    Object(Members<'d>),
}

/// The members of an object.
#[derive(Debug)]
pub(crate) struct Members<'d> {
    members: Vec<(Cow<'d, str>, Json<'d>)>,
    /// Their numbers in the order of their names, where there are many.
    index: Vec<usize>,
}

/// The most values that a text may have. The largest schema that is published has a third of that; a value in memory takes
/// up to thirty times what a digit takes in a text.
const MOST_VALUES: usize = 4_000_000;

/// From so many members on, a search beats a look at each.
const MANY: usize = 16;

impl<'d> Json<'d> {
    /// Reads a text. Its nesting may be 128 deep, and the number of its values is bounded.
    pub(crate) fn parse(text: &'d [u8]) -> Result<Self, serde_json::Error> {
        Self::parse_up_to(text, MOST_VALUES)
    }

    fn parse_up_to(text: &'d [u8], most: usize) -> Result<Self, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        let json = Reader { most, left: &Cell::new(most) }.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(json)
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(truth) = self { Some(*truth) } else { None }
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The number, if it can count something.
    pub(crate) fn as_count(&self) -> Option<usize> {
        let number = self.as_number().filter(|number| number::is_integer(*number) && *number >= 0.0)?;
        // Exact, as it is an integer that a double has.
        format!("{number}").parse().ok()
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    pub(crate) fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    pub(crate) fn as_object(&self) -> Option<&Members<'d>> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// The member of this name, if this is an object that has one.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }
}

impl<'d> Members<'d> {
    fn new(members: Vec<(Cow<'d, str>, Json<'d>)>) -> Self {
        let mut index = Vec::new();
        if members.len() >= MANY {
            let mut order: Vec<(&str, usize)> =
                members.iter().enumerate().map(|(number, (name, _))| (name.as_ref(), number)).collect();
            order.sort_unstable();
            index = order.into_iter().map(|(_, number)| number).collect();
        }
        Self { members, index }
    }

    /// The member of this name; the last one, if there are several.
    pub(crate) fn get(&self, name: &str) -> Option<&Json<'d>> {
        if self.index.is_empty() {
            return self.members.iter().rev().find(|(other, _)| other == name).map(|(_, json)| json);
        }
        let at = |number: &usize| self.members.get(*number);
        let after = self.index.partition_point(|number| at(number).is_some_and(|(other, _)| other.as_ref() <= name));
        let (found, json) = self.index.get(after.checked_sub(1)?).and_then(at)?;
        (found == name).then_some(json)
    }

    /// The members in the order in which they were written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Json<'d>)> {
        self.members.iter().map(|(name, json)| (name.as_ref(), json))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(name, _)| name.as_ref())
    }
}

/// Reads a value, and all that is in it.
#[derive(Clone, Copy)]
struct Reader<'b> {
    /// How many values there may be in all.
    most: usize,
    left: &'b Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let Some(left) = self.left.get().checked_sub(1) else {
            return Err(D::Error::custom(format_args!("there are more than {} values", self.most)));
        };
        self.left.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(truth))
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON's numbers are doubles, and so are those of the wire")]
    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(number as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON's numbers are doubles, and so are those of the wire")]
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Json::Number(number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(element) = elements.next_element_seed(self)? {
            found.push(element);
        }
        Ok(Json::Array(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(Name(name)) = members.next_key()? {
            found.push((name, members.next_value_seed(self)?));
        }
        Ok(Json::Object(Members::new(found)))
    }
}

/// A member's name, borrowed where it can be, which a `Cow` alone isn't.
struct Name<'d>(Cow<'d, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameReader;

        impl<'de> Visitor<'de> for NameReader {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(NameReader)
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn members_are_found_however_many() {
        for count in [0, 1, 15, 16, 17, 300] {
            let members: Vec<String> = (0..count).rev().map(|number| format!("\"m{number}\": {number}")).collect();
            let text = format!("{{{}}}", members.join(","));
            let json = Json::parse(text.as_bytes()).unwrap();
            for number in 0..count {
                assert_eq!(json.get(&format!("m{number}")).and_then(Json::as_count), Some(number), "of {count}");
            }
            assert!(json.get("").is_none() && json.get("m").is_none() && json.get("z").is_none());
            assert_eq!(json.as_object().unwrap().names().count(), count);
        }
    }

    #[test]
    fn the_last_of_equal_names_counts() {
        let many: Vec<String> = (0..20).map(|number| format!("\"m{number}\": 0")).collect();
        for text in ["{\"a\": 1, \"a\": 2}".to_owned(), format!("{{\"a\": 1, {}, \"a\": 2}}", many.join(","))] {
            assert_eq!(Json::parse(text.as_bytes()).unwrap().get("a").and_then(Json::as_number), Some(2.0), "{text}");
        }
    }

    #[test]
    fn counts_are_whole_and_not_negative() {
        for (text, expected) in
            [("0", Some(0)), ("7", Some(7)), ("7.0", Some(7)), ("-1", None), ("1.5", None), ("1e300", None)]
        {
            assert_eq!(Json::parse(text.as_bytes()).unwrap().as_count(), expected, "{text}");
        }
    }

    #[test]
    fn values_without_end_are_refused() {
        for (text, count) in [("[1,2,3]", 4), ("{\"a\": [], \"b\": {\"c\": null}}", 4), ("7", 1)] {
            assert!(Json::parse_up_to(text.as_bytes(), count).is_ok(), "{text}");
            let error = Json::parse_up_to(text.as_bytes(), count - 1).unwrap_err().to_string();
            assert!(error.starts_with(&format!("there are more than {} values", count - 1)), "{error}");
        }
        assert!(Json::parse(b"1 2").is_err(), "what comes after a value isn't part of it");
    }

    #[test]
    fn endless_nesting_is_refused() {
        assert!(Json::parse("[".repeat(100_000).as_bytes()).is_err());
    }
}
