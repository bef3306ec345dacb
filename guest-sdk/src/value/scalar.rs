//! Booleans, strings and values of any type as properties. Numbers are in `number`.

use super::{FromLiteral, Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

impl Property for bool {
    type Plain = Self;

    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::primitive("boolean")
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value.into_plain() {
            Value::Boolean(boolean) => Ok(boolean),
            other => Err(Misfit::expected("a boolean", &other)),
        }
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(Value::Boolean(*self))
    }
}

impl FromLiteral<bool> for bool {
    fn from_literal(literal: bool) -> Self {
        literal
    }
}

impl Property for String {
    type Plain = Self;

    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::primitive("string")
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value.into_plain() {
            Value::Text(text) => Ok(text),
            other => Err(Misfit::expected("a string", &other)),
        }
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(Value::Text(self.clone()))
    }
}

impl FromLiteral<&str> for String {
    fn from_literal(literal: &str) -> Self {
        literal.to_owned()
    }
}

impl Property for Value {
    type Plain = Self;
    const HOLDS_UNKNOWNS: bool = true;

    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::reference("pulumi.json#/Any")
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        Ok(value)
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(self.clone())
    }
}
