//! The members of an object with a signature, by kind. Members that this version doesn't know are dropped.

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::{
    Archive, ArchiveSource, Asset, AssetSource, Kind, Object, Output, Reference, ReferenceId, Value,
    wire::decode::error::Problem,
};

/// A secret without a value is one that isn't known: engines leave out what isn't, and leave the rest of it there.
pub(super) fn secret(mut fields: Object) -> Value {
    fields.remove("value").unwrap_or(Value::Unknown).secret()
}

pub(super) fn asset(mut fields: Object) -> Result<Value, Problem> {
    let hash = text(&mut fields, "hash")?;
    let text = text(&mut fields, "text")?.map(|text| ("text", AssetSource::Text(text)));
    let path = self::text(&mut fields, "path")?.map(|path| ("path", AssetSource::Path(path)));
    let uri = self::text(&mut fields, "uri")?.map(|uri| ("uri", AssetSource::Uri(uri)));
    let source = one_of([text, path, uri])?.unwrap_or_else(|| match hash.as_deref() {
        None | Some(Asset::EMPTY_HASH) => AssetSource::Text(String::new()),
        Some(_) => AssetSource::Elided,
    });
    Ok(Value::from(Asset { hash, source }))
}

pub(super) fn archive(mut fields: Object) -> Result<Value, Problem> {
    let hash = text(&mut fields, "hash")?;
    let assets = members(&mut fields)?.map(|members| ("assets", ArchiveSource::Members(members)));
    let path = text(&mut fields, "path")?.map(|path| ("path", ArchiveSource::Path(path)));
    let uri = text(&mut fields, "uri")?.map(|uri| ("uri", ArchiveSource::Uri(uri)));
    let source = one_of([assets, path, uri])?.unwrap_or_else(|| match hash.as_deref() {
        None | Some(Archive::EMPTY_HASH) => ArchiveSource::Members(Object::new()),
        Some(_) => ArchiveSource::Elided,
    });
    Ok(Value::from(Archive { hash, source }))
}

pub(super) fn reference(mut fields: Object) -> Result<Value, Problem> {
    let urn = match fields.remove("urn") {
        Some(urn) => string(urn, "urn")?,
        None => return Err(Problem::Missing { member: "urn" }),
    };
    let id = match fields.remove("id").map(Value::into_plain) {
        None => None,
        Some(id) if id.is_unknown() => Some(ReferenceId::Unknown),
        Some(id) => Some(ReferenceId::new(string(id, "id")?)),
    };
    let package_version = text(&mut fields, "packageVersion")?.unwrap_or_default();
    Ok(Value::from(Reference { urn, id, package_version }))
}

pub(super) fn output(mut fields: Object) -> Result<Value, Problem> {
    let secret = match fields.remove("secret") {
        None => false,
        Some(Value::Bool(secret)) => secret,
        Some(other) => return Err(wrong("secret", Kind::Bool, &other)),
    };
    let dependencies = match fields.remove("dependencies") {
        None => Vec::new(),
        Some(Value::List(urns)) => urns.into_iter().map(|urn| string(urn, "dependencies")).collect::<Result<_, _>>()?,
        Some(other) => return Err(wrong("dependencies", Kind::List, &other)),
    };
    Ok(Value::from(Output { value: fields.remove("value").map(Box::new), secret, dependencies }))
}

pub(super) fn bytes(mut fields: Object) -> Result<Value, Problem> {
    let value = fields.remove("value").ok_or(Problem::Missing { member: "value" })?;
    let bytes = STANDARD.decode(string(value, "value")?).map_err(|_| Problem::Base64)?;
    Ok(Value::Bytes(bytes))
}

/// The members of an archive. None are as good as no mention of them.
fn members(fields: &mut Object) -> Result<Option<Object>, Problem> {
    match fields.remove("assets") {
        None => Ok(None),
        Some(Value::Object(members)) => Ok(Some(members).filter(|members| !members.is_empty())),
        Some(other) => Err(wrong("assets", Kind::Object, &other)),
    }
}

/// A string that may be absent. An empty one is: that is how upstream writes and reads them.
fn text(fields: &mut Object, member: &'static str) -> Result<Option<String>, Problem> {
    match fields.remove(member) {
        None => Ok(None),
        Some(value) => string(value, member).map(|text| Some(text).filter(|text| !text.is_empty())),
    }
}

fn string(value: Value, member: &'static str) -> Result<String, Problem> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(wrong(member, Kind::String, &other)),
    }
}

fn wrong(member: &'static str, expected: Kind, found: &Value) -> Problem {
    Problem::WrongKind { member, expected, found: found.kind() }
}

/// The one source that is given, if any.
fn one_of<S>(sources: [Option<(&'static str, S)>; 3]) -> Result<Option<S>, Problem> {
    let mut given = sources.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some((first, _)), Some((second, _))) => Err(Problem::TwoSources { first, second }),
        (first, _) => Ok(first.map(|(_, source)| source)),
    }
}
