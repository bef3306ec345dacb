//! Construct: a component registers itself and its children.

use std::borrow::Cow;
use std::sync::Arc;

use bulkhead_schema::{Resource, conform, conform_preview, secrets};
use bulkhead_value::Object;
use bulkhead_value::signature::is_unknown;

use super::composing::{known_part, may_lack, nonconforming};
use super::told::told;
use super::{Alias, AliasParts, ConstructRequest, Constructed, Context, Deployment, Error, Session};

impl Session {
    /// The inputs of a component with what the schema says is secret marked: no check has run that would have done so, and what the
    /// component computes of them is as secret as they are.
    pub fn marked_inputs(&self, token: &str, inputs: Object) -> Object {
        match self.component(token) {
            Ok(component) => secrets::mark(&self.package, &component.inputs, None, inputs),
            Err(_) => inputs,
        }
    }

    /// Constructs a component in a deployment.
    ///
    /// # Errors
    /// Unknown tokens, a session that isn't configured, a failing guest, or a result that can't be one.
    pub async fn construct(
        &self,
        request: &ConstructRequest,
        deployment: Arc<dyn Deployment>,
    ) -> Result<Constructed, Error> {
        self.guest_has_components()?;
        self.ready()?;
        let component = self.component(&request.token)?;
        let told = told(&request.inputs, &request.dependencies, Some(&request.options));
        let deployment = self.watched(deployment, &request.inputs, told);
        let context = Context { token: request.token.clone(), name: Some(request.name.clone()), ..Context::default() };
        let within = Arc::clone(&deployment) as Arc<dyn Deployment>;
        let what = format!("the component `{}`", request.token);
        let request = &*by_present_type(component, request);
        let constructed = self.guest.construct(self.composing(&context), within, request).await?;
        if constructed.urn.is_empty() || is_unknown(&constructed.urn) {
            return Err(Error::provider_bug(format!("{what} returned no URN")));
        }
        if !deployment.registered(&constructed.urn) {
            return Err(Error::provider_bug(format!(
                "{what} returned the URN of something else than a component that it registered"
            )));
        }
        let lacks = may_lack(request.preview, &request.inputs, &deployment);
        let examine = if lacks { conform_preview } else { conform };
        nonconforming(&what, &examine(&self.package, &component.outputs, &constructed.state))?;
        deployment.hold(&what, &constructed.state, &constructed.dependencies).await?;
        let state = secrets::mark(&self.package, &component.outputs, Some(&request.inputs), constructed.state);
        Ok(Constructed { state: known_part(request.preview, state), ..constructed })
    }
}

/// The request by the type that the guest has. A program that asks by an older one has the component on record by that: the engine finds it
/// there by an alias, which the guest passes on with the other options. Aliases of the program's own that name no type mean that type, too:
/// an engine takes them for those of the type that is registered.
fn by_present_type<'r>(component: &Resource, request: &'r ConstructRequest) -> Cow<'r, ConstructRequest> {
    if request.token == component.token {
        return Cow::Borrowed(request);
    }
    let mut request = request.clone();
    let before = std::mem::replace(&mut request.token, component.token.clone());
    let aliases = &mut request.options.aliases;
    let untyped = aliases.iter().filter_map(|alias| match alias {
        Alias::Parts(parts) if parts.token.is_none() => Some(parts.clone()),
        _ => None,
    });
    let of_type = |parts| Alias::Parts(AliasParts { token: Some(before.clone()), ..parts });
    let older: Vec<Alias> = untyped.chain([AliasParts::default()]).map(of_type).collect();
    aliases.extend(older);
    Cow::Owned(request)
}
