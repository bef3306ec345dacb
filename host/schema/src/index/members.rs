//! What a package consists of, as bytes and back.
//!
//! Everything is named field by field, so that a field that the model gains can't be forgotten here.

use bulkhead_value::{List, Object, Value};
use semver::Version;

use super::code::{Code, Reader, Writer};
use crate::{
    Problem,
    model::{
        Autoname, BasePlugin, DefaultInfo, Definition, Discriminator, EnumType, EnumValue, Function, Methods,
        ModuleFormat, ObjectType, Offers, Overrides, ParameterKind, Parameterization, Pattern, PluginSource, Primitive,
        Property, PropertyFacts, Resource, ResourceFacts, Returns, Type, Union, Validation,
    },
};

/// Field after field.
macro_rules! fields {
    ($($name:ident { $($field:ident),* })*) => { $(
        impl Code for $name {
            fn write(&self, writer: &mut Writer) {
                let Self { $($field),* } = self;
                $($field.write(writer);)*
            }

            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                Some(Self { $($field: Code::read(reader)?),* })
            }
        }
    )* };
}

fields! {
    Autoname { max_length, separator, hex_digits, charset }
    DefaultInfo { environment }
    Discriminator { property, mapping }
    EnumValue { value, name, deprecation }
    Function { token, inputs, outputs, positional, is_overlay, deprecation }
    Methods { read, update, delete }
    ObjectType { properties, required }
    Offers { custom, listed, function, component, method, overrides }
    Overrides { check, diff, preview, upgrade }
    Parameterization { kind, base, version, plugin }
    BasePlugin { name, version }
    PluginSource { package, from }
    Problem { location, message, hint }
    Property {
        ty, plain, secret, replaces, default, default_info, constant, facts, description, deprecation
    }
    PropertyFacts { output_default, stable, autoname, not_echoed, empty_is_absent, coerces, validate }
    Resource {
        token, inputs, outputs, state_inputs, list_inputs, is_component, is_overlay, aliases, methods, facts, deprecation
    }
    ResourceFacts { methods, overrides, delete_before_replace, schema_version, same_inputs }
    Union { variants, underlying, discriminator }
    Validation {
        minimum, maximum, min_length, max_length, min_items, max_items, pattern, conflicts_with, requires, exactly_one_of
    }
}

/// One of several, told by a number.
macro_rules! cases {
    ($($name:ident { $($tag:literal => $case:ident $(($inner:ident))?),* })*) => { $(
        impl Code for $name {
            fn write(&self, writer: &mut Writer) {
                match self {
                    $(Self::$case $(($inner))? => {
                        writer.tag($tag);
                        $($inner.write(writer);)?
                    })*
                }
            }

            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                reader.nested(|reader| Some(match reader.tag()? {
                    $($tag => Self::$case $(({
                        let $inner = Code::read(reader)?;
                        $inner
                    }))?,)*
                    _ => return None,
                }))
            }
        }
    )* };
}

cases! {
    Definition { 0 => Object(object), 1 => Enum(values) }
    ParameterKind { 0 => Replacement, 1 => Extension }
    Primitive { 0 => Boolean, 1 => Integer, 2 => Number, 3 => String }
    Returns { 0 => Nothing, 1 => Object(object), 2 => Type(ty) }
    Type {
        0 => Boolean, 1 => Integer, 2 => Number, 3 => String, 4 => Array(element), 5 => Map(member), 6 => Object(token),
        7 => Enum(token), 8 => Union(union), 9 => Asset, 10 => Archive, 11 => Any, 12 => Json, 13 => Resource(token)
    }
}

/// Those that JSON can write: a schema has no others.
impl Code for Value {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Null => writer.tag(0),
            Self::Bool(truth) => {
                writer.tag(1);
                truth.write(writer);
            }
            Self::Number(number) => {
                writer.tag(2);
                number.write(writer);
            }
            Self::String(text) => {
                writer.tag(3);
                writer.text(text);
            }
            Self::List(elements) => {
                writer.tag(4);
                writer.several(elements.iter(), |writer, element| element.write(writer));
            }
            Self::Object(members) => {
                writer.tag(5);
                writer.several(members.iter(), |writer, (name, member)| {
                    writer.text(name);
                    member.write(writer);
                });
            }
            _ => writer.failed = true,
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.nested(|reader| {
            Some(match reader.tag()? {
                0 => Self::Null,
                1 => Self::Bool(Code::read(reader)?),
                2 => Self::Number(Code::read(reader)?),
                3 => Self::String(Code::read(reader)?),
                4 => Self::List(reader.several::<_, List>(Self::read)?),
                5 => {
                    let member = |reader: &mut Reader<'_>| Some((String::read(reader)?, Self::read(reader)?));
                    Self::Object(reader.several::<_, Object>(member)?)
                }
                _ => return None,
            })
        })
    }
}

impl Code for EnumType {
    fn write(&self, writer: &mut Writer) {
        self.underlying.write(writer);
        self.values.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self::new(Code::read(reader)?, Code::read(reader)?))
    }
}

impl Code for Pattern {
    fn write(&self, writer: &mut Writer) {
        writer.text(self.as_str());
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Self::new(reader.text()?).ok()
    }
}

impl Code for ModuleFormat {
    fn write(&self, writer: &mut Writer) {
        writer.text(self.as_str());
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Self::new(reader.text()?).ok()
    }
}

impl Code for Version {
    fn write(&self, writer: &mut Writer) {
        writer.text(&self.to_string());
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Self::parse(reader.text()?).ok()
    }
}
