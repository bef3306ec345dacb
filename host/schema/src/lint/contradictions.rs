//! Facts about who fills a property that can't all be true.

use super::{
    lints::{Lints, Severity},
    place::{Place, Side},
};
use crate::model::{ObjectType, Property};

/// Looks at every property of an object type.
pub(super) fn look(place: &Place<'_>, lints: &mut Lints) {
    for (name, property) in &place.ty.properties {
        let mut warn = |message: &str, hint: &str| lints.add(Severity::Warning, place.of(name), message, hint);
        filled_and_required(place.ty, name, property, &mut warn);
        let facts = &property.facts;
        match place.side {
            Side::Inputs(resource) => {
                let is_output = resource.outputs.properties.contains_key(name);
                if facts.output_default.is_some() && !is_output {
                    warn(
                        "`outputDefault` promises an output, and there is no output of this name",
                        "add it to `properties`",
                    );
                }
                if facts.not_echoed && !is_output {
                    warn("`notEchoed` is about the output of this name, and there is none", "leave it out");
                }
            }
            Side::Outputs(resource) => {
                let changes =
                    resource.inputs.properties.get(name).is_some_and(|input| !input.replaces && !property.replaces);
                if facts.stable && changes && resource.facts.methods.update {
                    warn(
                        "it is promised to be `stable`, and it is an input that can be changed without a replacement",
                        "mark the input `replaceOnChanges`, or leave out `stable`",
                    );
                }
                promises_of_inputs(property, &mut warn);
            }
            Side::Results => promises_of_inputs(property, &mut warn),
            Side::Configuration(_) | Side::Arguments | Side::Named => {}
        }
        if facts.stable && matches!(place.side, Side::Inputs(_) | Side::Configuration(_) | Side::Arguments) {
            warn("`stable` is a promise about an output, and this is an input", "say it of the output");
        }
        if facts.autoname.is_some() && !matches!(place.side, Side::Inputs(_)) {
            warn("only an input of a resource can be named automatically", "leave out `autoname`");
        }
    }
}

fn filled_and_required(ty: &ObjectType, name: &str, property: &Property, warn: &mut impl FnMut(&str, &str)) {
    let facts = &property.facts;
    if ty.requires(name) {
        if facts.output_default.is_some() {
            warn("it is required, so the `outputDefault` for where it is left out is never used", "let it be optional");
        }
        if facts.autoname.is_some() || property.default.is_some() {
            let what =
                "it is required, and it is filled in where it is left out, so that programs must give it for nothing";
            warn(what, "let it be optional");
        }
    }
    if property.default.is_some() && facts.output_default.is_some() {
        warn("it has a `default` that is filled in, so its `outputDefault` is never used", "leave one of them out");
    }
    if property.default.is_some() && facts.autoname.is_some() {
        warn("it is named automatically, so its `default` is never used", "leave one of them out");
    }
    if property.constant.is_some() && (property.default.is_some() || facts.autoname.is_some()) {
        warn("it is a constant, so nothing else is ever filled in", "leave out `default` and `autoname`");
    }
}

/// What is said of an output, and only means something for an input.
fn promises_of_inputs(property: &Property, warn: &mut impl FnMut(&str, &str)) {
    if property.facts.output_default.is_some() || property.facts.not_echoed {
        warn(
            "`outputDefault` and `notEchoed` are facts about an input, and this is an output",
            "say them of the input",
        );
    }
}
