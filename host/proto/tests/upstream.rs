//! Our `.proto` files describe the same wire format as Pulumi's own.
//!
//! They are written by hand, so a wrong number would go unnoticed until an engine misread it. `upstream/` is a small Go program which
//! prints the descriptors that Pulumi's SDK was compiled from; every message, field, enum value and method is held against it, in
//! both directions. What upstream has and this crate leaves out is named here, with the reason.

#![expect(clippy::expect_used, clippy::panic, reason = "a test whose premises don't hold has failed")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
    ServiceDescriptorProto,
};

/// Files that are left out as a whole, and why.
const LEFT_OUT: [(&str, &str); 3] = [
    ("pulumi/analyzer.proto", "policy packs are plugins of another kind, and no provider meets them"),
    ("pulumi/converter.proto", "converters are plugins of another kind, and no provider meets them"),
    ("pulumi/events.proto", "the engine serves it to Pulumi's own tools, not to plugins"),
];

#[test]
fn every_definition_is_as_upstream_has_it() {
    let upstream = upstream_files();
    for (name, reason) in LEFT_OUT {
        assert!(
            upstream.iter().any(|file| file.name() == name),
            "{name} ({reason}) no longer exists: leave it off the list"
        );
    }
    let upstream: Vec<_> =
        upstream.into_iter().filter(|file| LEFT_OUT.iter().all(|(name, _)| file.name() != *name)).collect();

    let (theirs, ours) = (definitions(&upstream), definitions(&our_files()));
    let missing: Vec<_> = theirs.difference(&ours).map(|line| format!("- {line}")).collect();
    let added: Vec<_> = ours.difference(&theirs).map(|line| format!("+ {line}")).collect();
    assert!(
        missing.is_empty() && added.is_empty(),
        "proto/ differs from upstream (- only upstream, + only ours):\n{}",
        [missing, added].concat().join("\n")
    );
}

/// What upstream was compiled from. Needs Go, and network access to its module proxy unless the modules are already downloaded.
fn upstream_files() -> Vec<FileDescriptorProto> {
    let output = Command::new("go")
        // As the CLI is built for other tests, so that Go's own library is compiled once.
        .args(["run", "-trimpath", "."])
        .env("CGO_ENABLED", "0")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upstream"))
        .output()
        .unwrap_or_else(|error| {
            panic!("failed to start go: {error}; hint: install Go 1.26.6 or later and put it on PATH")
        });
    assert!(
        output.status.success(),
        "failed to run tests/upstream: {}\n{}hint: the Go module proxy must be reachable once (see `go env GOPROXY`)",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let set = FileDescriptorSet::decode(output.stdout.as_slice()).expect("a descriptor set on stdout");
    let files: Vec<_> = set.file.into_iter().filter(is_protocol).collect();
    assert!(files.len() > 10, "upstream's descriptors hold only {} files of the protocol", files.len());
    files
}

/// What this crate's code is generated from.
fn our_files() -> Vec<FileDescriptorProto> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("proto");
    let mut names: Vec<_> = ["pulumi", "pulumi/codegen", "google/rpc"]
        .iter()
        .flat_map(|directory| std::fs::read_dir(root.join(directory)).expect("a readable directory"))
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.is_file())
        .collect();
    names.sort();
    let set = protox::compile(names, [root]).expect("the .proto files to compile");
    set.file.into_iter().filter(is_protocol).collect()
}

/// Whether a file belongs to the protocol, rather than to protobuf itself.
fn is_protocol(file: &FileDescriptorProto) -> bool {
    file.name().starts_with("pulumi/") || file.name() == "google/rpc/status.proto"
}

/// One line for each thing that a peer could notice, so that a difference reads as one.
fn definitions(files: &[FileDescriptorProto]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for file in files {
        let package = file.package();
        lines.insert(format!("{}: package {package}, {}", file.name(), file.syntax()));
        file.message_type.iter().for_each(|message| describe_message(package, message, &mut lines));
        file.enum_type.iter().for_each(|enumeration| describe_enum(package, enumeration, &mut lines));
        file.service.iter().for_each(|service| describe_service(package, service, &mut lines));
    }
    lines
}

fn describe_message(scope: &str, message: &DescriptorProto, lines: &mut BTreeSet<String>) {
    let name = format!("{scope}.{}", message.name());
    let options = message.options.clone().unwrap_or_default();
    lines.insert(format!("message {name}, map entry: {}, deprecated: {}", options.map_entry(), options.deprecated()));
    for field in &message.field {
        lines.insert(describe_field(&name, message, field));
    }
    for range in &message.reserved_range {
        lines.extend((range.start()..range.end()).map(|number| format!("{name}: {number} is reserved")));
    }
    lines.extend(message.reserved_name.iter().map(|reserved| format!("{name}: \"{reserved}\" is reserved")));
    message.nested_type.iter().for_each(|nested| describe_message(&name, nested, lines));
    message.enum_type.iter().for_each(|nested| describe_enum(&name, nested, lines));
}

fn describe_field(scope: &str, message: &DescriptorProto, field: &FieldDescriptorProto) -> String {
    let label = match field.label() {
        _ if field.proto3_optional() => "optional",
        Label::Optional => "singular",
        Label::Required => "required",
        Label::Repeated => "repeated",
    };
    let kind = match field.r#type() {
        Type::Message | Type::Enum | Type::Group => field.type_name().to_owned(),
        scalar => scalar.as_str_name().trim_start_matches("TYPE_").to_lowercase(),
    };
    let choice = field
        .oneof_index
        .and_then(|index| message.oneof_decl.get(usize::try_from(index).ok()?))
        .filter(|_| !field.proto3_optional())
        .map(|oneof| format!(" in oneof {}", oneof.name()))
        .unwrap_or_default();
    let options = field.options.clone().unwrap_or_default();
    format!(
        "{scope}.{} = {}: {label} {kind}{choice}, json {}, deprecated: {}, packed: {:?}",
        field.name(),
        field.number(),
        field.json_name(),
        options.deprecated(),
        options.packed
    )
}

fn describe_enum(scope: &str, enumeration: &EnumDescriptorProto, lines: &mut BTreeSet<String>) {
    let name = format!("{scope}.{}", enumeration.name());
    let options = enumeration.options.clone().unwrap_or_default();
    lines.insert(format!("enum {name}, aliases: {}, deprecated: {}", options.allow_alias(), options.deprecated()));
    lines.extend(enumeration.value.iter().map(|value| format!("{name}.{} = {}", value.name(), value.number())));
    for range in &enumeration.reserved_range {
        lines.extend((range.start()..=range.end()).map(|number| format!("{name}: {number} is reserved")));
    }
    lines.extend(enumeration.reserved_name.iter().map(|reserved| format!("{name}: \"{reserved}\" is reserved")));
}

fn describe_service(scope: &str, service: &ServiceDescriptorProto, lines: &mut BTreeSet<String>) {
    let name = format!("{scope}.{}", service.name());
    lines.insert(format!("service {name}"));
    for method in &service.method {
        let stream = |streaming| if streaming { "stream of " } else { "" };
        lines.insert(format!(
            "{name}.{}: {}{} to {}{}, deprecated: {}",
            method.name(),
            stream(method.client_streaming()),
            method.input_type(),
            stream(method.server_streaming()),
            method.output_type(),
            method.options.as_ref().is_some_and(|options| options.deprecated())
        ));
    }
}
