//! Call: methods of components, of custom resources and of the provider itself.

use std::borrow::Cow;
use std::sync::Arc;

use bulkhead_schema::{Failure, FailureKind, Function, Returns, conform_return, secrets};
use bulkhead_value::{Object, Value};

use super::composing::{known_part, may_lack, members, nonconforming};
use super::told::told;
use super::{Called, Context, Deployment, Error, ErrorKind, MethodRequest, Session};

/// The member that a result which isn't an object travels in.
const RESULT: &str = "res";

impl Session {
    /// The arguments of a method with what the schema says is secret marked, for the same reason as a component's inputs.
    pub fn marked_arguments(&self, token: &str, arguments: Object) -> Object {
        match self.package.function(&self.of_today(token)).and_then(|method| method.inputs.as_ref()) {
            Some(ty) => secrets::mark(&self.package, ty, None, arguments),
            None => arguments,
        }
    }

    /// Calls a method in a deployment: its result, or what is wrong with the arguments.
    ///
    /// # Errors
    /// Unknown tokens, a session that isn't configured, a failing guest, or a result that can't be one.
    pub async fn call_method(
        &self,
        request: &MethodRequest,
        deployment: Arc<dyn Deployment>,
    ) -> Result<Result<Called, Vec<Failure>>, Error> {
        self.guest_has_components()?;
        self.ready()?;
        let request = match self.of_today(&request.token) {
            Cow::Owned(token) => &MethodRequest { token, ..request.clone() },
            Cow::Borrowed(_) => request,
        };
        let method = self.method(&request.token)?;
        let told = told(&request.arguments, &request.dependencies, None);
        let deployment = self.watched(deployment, &request.arguments, told);
        let context = Context { token: request.token.clone(), ..Context::default() };
        let within = Arc::clone(&deployment) as Arc<dyn Deployment>;
        let called = match self.guest.call_method(self.composing(&context), within, request).await {
            Ok(called) => called,
            Err(Error { kind: ErrorKind::Rejected(failures), .. }) => return Ok(Err(failures)),
            Err(error) => return Err(error),
        };
        let lacks = may_lack(request.preview, &request.arguments, &deployment);
        let what = format!("the method `{}`", request.token);
        let value = returned(method, called.value)?
            .ok_or_else(|| Error::provider_bug(format!("{what} returned something that isn't an object")))?;
        let failures = conform_return(&self.package, method, &value);
        let unexpected: Vec<Failure> = failures.into_iter().filter(|failure| !lacks || !is_lack(failure)).collect();
        nonconforming(&what, &unexpected)?;
        let object = match secrets::mark_return(&self.package, method, value) {
            Value::Object(object) if !method.outputs.is_bare() => object,
            value => [(RESULT, value)].into_iter().collect(),
        };
        deployment.hold(&what, &object, &called.dependencies).await?;
        Ok(Ok(Called { value: known_part(request.preview, object), dependencies: called.dependencies }))
    }

    /// What a method is called now: programs name it by the type that their SDK knows, which may be from before that was renamed.
    fn of_today<'t>(&self, token: &'t str) -> Cow<'t, str> {
        let renamed = || {
            let (ty, method) = token.rsplit_once('/')?;
            let token = format!("{}/{method}", self.package.resource(ty)?.token);
            self.package.function(&token).map(|_| token)
        };
        match self.package.function(token) {
            Some(_) => Cow::Borrowed(token),
            None => renamed().map_or(Cow::Borrowed(token), Cow::Owned),
        }
    }

    /// The schema of a method.
    fn method(&self, token: &str) -> Result<&Function, Error> {
        if let Some(function) = self.package.function(token) {
            return Ok(function);
        }
        let error = Error::new(
            ErrorKind::InvalidRequest,
            format!("the package `{}` has no method `{token}`", self.package.name),
        );
        match self.package.nearest_function(token) {
            Some(nearest) => Err(error.hint(format!("did you mean `{nearest}`?"))),
            None => Err(error),
        }
    }
}

/// What a method returned, as the schema sees it: an object, or a value of a type.
fn returned(method: &Function, value: Value) -> Result<Option<Value>, Error> {
    let object = match &method.outputs {
        Returns::Type(_) => return Ok(Some(value)),
        Returns::Object(ty) => members(value, ty.properties.keys().cloned()),
        Returns::Nothing if value.plain().is_null() => Ok(Some(Object::new())),
        Returns::Nothing => members(value, std::iter::empty()),
    };
    Ok(object?.map(Value::Object))
}

/// Whether a failure is only that something isn't known yet.
fn is_lack(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Unknown | FailureKind::Missing)
}
