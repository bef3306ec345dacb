//! The object types of a package, with their places in the document.

use crate::model::{Definition, ObjectType, Package, Resource, Returns};

/// An object type and where it stands.
pub(super) struct Place<'p> {
    /// The object that describes it, as a JSON pointer.
    pub(super) owner: String,
    /// The member with its properties.
    properties: &'static str,
    pub(super) ty: &'p ObjectType,
    pub(super) side: Side<'p>,
}

/// Who gives the values of a type.
#[derive(Clone, Copy)]
pub(super) enum Side<'p> {
    /// The program, to this resource.
    Inputs(&'p Resource),
    /// The provider, of this resource.
    Outputs(&'p Resource),
    /// The user, to this provider.
    Configuration(&'p Resource),
    /// The program, to a function.
    Arguments,
    /// A function.
    Results,
    /// Either: a named type.
    Named,
}

impl<'p> Place<'p> {
    /// All object types of a package.
    pub(super) fn all(package: &'p Package) -> Vec<Self> {
        let mut places = Vec::new();
        let mut add = |owner: String, properties, ty, side| places.push(Self { owner, properties, ty, side });
        for (token, definition) in &package.types {
            if let Definition::Object(ty) = definition {
                add(pointer(&["types", token]), "properties", ty, Side::Named);
            }
        }
        for (token, resource) in &package.resources {
            let owner = pointer(&["resources", token]);
            add(owner.clone(), "inputProperties", &resource.inputs, Side::Inputs(resource));
            add(owner, "properties", &resource.outputs, Side::Outputs(resource));
        }
        for (token, function) in &package.functions {
            if let Some(inputs) = &function.inputs {
                add(pointer(&["functions", token, "inputs"]), "properties", inputs, Side::Arguments);
            }
            if let Returns::Object(outputs) = &function.outputs {
                add(pointer(&["functions", token, "outputs"]), "properties", outputs, Side::Results);
            }
        }
        add("#".to_owned(), "", &package.configuration, Side::Configuration(&package.provider));
        places
    }

    /// Where a property stands.
    pub(super) fn of(&self, name: &str) -> String {
        match self.side {
            // The variables of `config` and the inputs of `provider` are one bag.
            Side::Configuration(provider) if provider.inputs.properties.contains_key(name) => {
                pointer(&["provider", "inputProperties", name])
            }
            Side::Configuration(_) => pointer(&["config", "variables", name]),
            _ => format!("{}/{}/{}", self.owner, self.properties, escaped(name)),
        }
    }
}

/// A JSON pointer in a fragment.
pub(super) fn pointer(steps: &[&str]) -> String {
    let steps: Vec<String> = steps.iter().map(|step| escaped(step)).collect();
    format!("#/{}", steps.join("/"))
}

fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}
