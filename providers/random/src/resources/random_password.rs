//! [`RandomPassword`].

use bulkhead_sdk::{
    Create, Created, Fields, Read, Resource, Result, Secret, Snapshot, State, Update, Updated, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate, Upgrade, Upgraded},
};

use super::{
    checked,
    coerced::Coerced,
    kept::{self, Kept},
    notes::Notes,
    text_inputs::{self, TextInputs},
};
use crate::{bcrypt_hash, plan::Kind, upgrade};

/// The id of every password: a real one would tell something about it.
const ID: &str = "none";

/// A random password of letters, digits and special characters, drawn once and kept until an input changes. It is secret,
/// in the state as well.
///
/// To import a password, give the password itself as the id. The id that is recorded is another.
#[derive(Debug, State)]
pub struct RandomPassword {
    #[bulkhead(flatten)]
    inputs: TextInputs,
    /// The password.
    result: Secret<String>,
    /// A bcrypt hash of the password, of its first 72 bytes if it is longer.
    bcrypt_hash: Secret<String>,
    #[bulkhead(flatten)]
    notes: Notes<TextInputs>,
}

#[resource(token = "random:index/randomPassword:RandomPassword", schema_version = 3, same_inputs)]
impl Resource for RandomPassword {
    type Inputs = Coerced<TextInputs>;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs.typed()?)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        // What stands for every password is none itself. A look-up by a part of a state comes as an import does.
        kept::read(request, |id| if id == ID { kept::no_import(id) } else { Self::imported(id) })
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        kept::update(request)
    }

    fn check(request: Check) -> Result<Checked> {
        checked::check::<TextInputs>(request, text_inputs::contradictions)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        kept::diff(request)
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        kept::preview_create::<Self>(&request)
    }

    fn preview_update(request: PreviewUpdate<Self>) -> Result<Fields> {
        kept::preview_update(&request)
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        Ok(Upgraded { state: upgrade::password(request.from_version, request.state)?, inputs: request.inputs })
    }
}

impl Kept for RandomPassword {
    type Given = TextInputs;
    const DRAWN: &'static [(&'static str, Kind)] = &[("result", Kind::Text), ("bcryptHash", Kind::Text)];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomPassword {
    fn drawn(inputs: TextInputs) -> Result<Created<Self>> {
        let password = inputs.draw()?;
        Ok(Created::new(ID, Self::new(inputs, password)?))
    }

    fn new(inputs: TextInputs, password: String) -> Result<Self> {
        let bcrypt_hash = bcrypt_hash::hash(&password)?.into();
        Ok(Self { inputs, result: password.into(), bcrypt_hash, notes: Notes::of(ID) })
    }

    fn imported(password: &str) -> Result<Snapshot<Self>> {
        let state = Self::new(TextInputs::imported(password)?, password.to_owned())?;
        let inputs = kept::inputs_of(&state, &text_inputs::OF_IMPORT)?;
        Ok(Snapshot::new(ID, state).inputs(inputs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_password_and_the_id_tells_nothing() {
        let created = RandomPassword::drawn(TextInputs::imported("length").unwrap()).unwrap();
        assert_eq!(created.id, "none");
        assert_eq!(created.state.result.chars().count(), 6);
        assert!(bcrypt_hash::belongs(&created.state.bcrypt_hash, &created.state.result));
    }

    #[test]
    fn an_import_forgets_that_the_id_was_the_password() {
        let imported = RandomPassword::imported("correct horse").unwrap();
        assert_eq!(imported.id, "none");
        assert_eq!(imported.state.result.as_str(), "correct horse");
        assert_eq!(imported.state.inputs.length, 13);
        assert!(bcrypt_hash::belongs(&imported.state.bcrypt_hash, "correct horse"));
    }

    #[test]
    fn passwords_stay_out_of_debug_output() {
        let shown = format!("{:?}", RandomPassword::imported("correct horse").unwrap().state);
        assert!(!shown.contains("correct horse") && !shown.contains("$2a$"), "{shown}");
    }
}
