//! Rules that a program can keep and an import can't, since a service never tells what they ask for.

use bulkhead_sdk::testing::validate;
use bulkhead_sdk::{Create, Created, Inputs, Read, Resource, Result, Secret, Snapshot, State, provider, resource};

#[derive(Inputs)]
struct HookArgs {
    #[bulkhead(not_echoed, exactly_one_of = "key_file")]
    key: Option<Secret<String>>,
    key_file: Option<String>,
    #[bulkhead(requires = "pin")]
    label: Option<String>,
    #[bulkhead(not_echoed)]
    pin: Option<Secret<String>>,
    /// Nothing is wrong with these: one is filled in, and the other asks for what isn't imported either.
    #[bulkhead(not_echoed, exactly_one_of = "kind")]
    seed: Option<Secret<String>>,
    #[bulkhead(default = "plain")]
    kind: Option<String>,
    #[bulkhead(not_echoed, requires = "pin")]
    hint: Option<Secret<String>>,
}

/// A hook.
#[derive(State)]
struct Hook {
    #[bulkhead(flatten)]
    args: HookArgs,
}

#[resource(token = "hooks:index:Hook")]
impl Resource for Hook {
    type Inputs = HookArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = HookArgs { key: None, pin: None, seed: None, hint: None, ..request.inputs };
        Ok(Created::new("h-1", Self { args }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        Ok(Some(Snapshot::new(request.id, prior.state()?)))
    }
}

provider! { name: "hooks", resources: [Hook] }

#[test]
fn rules_that_no_import_can_keep_are_told() {
    let mistakes = validate(&PROVIDER).unwrap_err();
    assert_eq!(
        mistakes.to_string().lines().skip(1).collect::<Vec<_>>(),
        [
            "  hooks:index:Hook.key: it is `not_echoed` and one of an `exactly_one_of`, of which an import has none then: say `conflicts_with`, and have `create` refuse inputs without it",
            "  hooks:index:Hook.label: it requires `pin`, which is `not_echoed`, so that an import lacks it: have `create` refuse inputs without it",
        ]
    );
}
