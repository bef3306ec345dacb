//! Values for crates that use serde, so that a struct of properties can be what a service is sent as well.
//!
//! What JSON has is written and read as it is, secret or not: who writes a request means to send it. What only Pulumi has (assets, resources,
//! what isn't known yet) can't be written.
//!
//! Numbers are those of `serde_json` as it comes: in a [`Json`] an integer of more than 64 bits becomes the nearest float. With its feature
//! `arbitrary_precision`, which any crate of a provider can switch on, numbers can't be read as [`Value`]s.

use std::fmt;

use ::serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Error as _, Serialize, Serializer};

use super::{Fields, Json, Property, Secret, Value};

impl<T: Serialize> Serialize for Secret<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}

/// The document, not its text.
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document: serde_json::Value =
            serde_json::from_str(self.text()).map_err(|_| S::Error::custom("a document isn't JSON"))?;
        document.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(serde_json::Value::deserialize(deserializer)?.to_string()))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.plain() {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(boolean) => serializer.serialize_bool(*boolean),
            // Services tell `1.0` from `1`.
            Self::Number(number) => match i64::from_value(Self::Number(*number)) {
                Ok(integer) => serializer.serialize_i64(integer),
                Err(_) if number.is_finite() => serializer.serialize_f64(*number),
                Err(_) => Err(S::Error::custom("no number")),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::Items(items) => items.serialize(serializer),
            Self::Fields(fields) => fields.serialize(serializer),
            other => Err(S::Error::custom(format!("{} can't be written", other.kind()))),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl Anything {
    /// A number, if it is one that a value can carry.
    fn number<E: ::serde::de::Error>(number: impl Property) -> Result<Value, E> {
        number.to_value().map_err(|_| E::custom("a number is larger than the integers that a value can carry"))
    }
}

impl<'de> Visitor<'de> for Anything {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything that JSON has")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, boolean: bool) -> Result<Value, E> {
        Ok(Value::Boolean(boolean))
    }

    fn visit_i64<E: ::serde::de::Error>(self, number: i64) -> Result<Value, E> {
        Self::number(number)
    }

    fn visit_u64<E: ::serde::de::Error>(self, number: u64) -> Result<Value, E> {
        Self::number(number)
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element()? {
            read.push(item);
        }
        Ok(Value::Items(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Fields::new();
        while let Some((name, value)) = members.next_entry()? {
            if read.insert(name, value).is_some() {
                return Err(A::Error::custom("a member is there twice"));
            }
        }
        Ok(Value::Fields(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(crate::Inputs, ::serde::Serialize, ::serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Hook {
        secret_key: Secret<String>,
        policy: Json,
        extra: Option<Value>,
    }

    /// One struct is what a program gives and what a service is sent.
    #[test]
    fn a_struct_of_properties_is_what_a_service_is_sent_and_answers() {
        let text = r#"{"secretKey":"k","policy":{"allow":[1,"a",null]},"extra":{"a":[1,1.5,true],"b":null}}"#;
        let hook: Hook = serde_json::from_str(text).unwrap();
        assert_eq!((hook.secret_key.as_str(), hook.policy.text()), ("k", r#"{"allow":[1,"a",null]}"#));
        assert_eq!(hook.extra.as_ref().unwrap().as_fields().unwrap()["b"], Value::Null);
        assert_eq!(serde_json::to_string(&hook).unwrap(), text);
    }

    #[test]
    fn what_json_has_not_is_refused() {
        for value in [Value::Unknown, Value::Bytes(Vec::new()), Value::Number(f64::NAN)] {
            assert!(serde_json::to_string(&Value::Items(vec![value])).is_err());
        }
        assert!(serde_json::to_string(&Json::new("{")).is_err());
        for text in ["9007199254740993", "-9007199254740993", r#"{"a":1,"a":2}"#] {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
        }
        assert_eq!(serde_json::to_string(&Value::Text("s".to_owned()).secret()).unwrap(), r#""s""#);
    }
}
