//! Functions.

use std::borrow::Cow;

use bulkhead_schema::{CheckRequest as SchemaCheck, Failure, conform_return};
use bulkhead_value::{Object, Value};

use super::composing::nonconforming;
use super::create::known;
use super::{Context, Error, ErrorKind, Session};

impl Session {
    /// Whether a function returns a value that isn't an object with properties, which some protocols have no place for.
    pub fn returns_bare_value(&self, token: &str) -> bool {
        self.function(token).is_ok_and(|function| function.outputs.is_bare())
    }

    /// Calls a function: its result, or what is wrong with the arguments.
    ///
    /// # Errors
    /// Unknown tokens, arguments that aren't known, a failing guest, a result that isn't known or doesn't conform.
    pub async fn invoke(
        &self,
        token: &str,
        arguments: Object,
        preview: bool,
    ) -> Result<Result<Value, Vec<Failure>>, Error> {
        self.ready()?;
        let function = self.function(token)?;
        known(&arguments, "call a function with")?;
        let (package, ty) = (&self.package, function.inputs.as_ref());
        let arguments = match ty {
            Some(ty) => {
                let environment = &|name: &str| self.guest.variable(name);
                let request = SchemaCheck { environment, ..SchemaCheck::of(ty, &arguments) };
                let checked = bulkhead_schema::findings(package, request).complete(arguments);
                if !checked.failures.is_empty() {
                    return Ok(Err(checked.failures));
                }
                checked.inputs
            }
            None => arguments,
        };
        let typed = ty.map_or(Cow::Borrowed(&arguments), |ty| bulkhead_schema::typed(package, ty, &arguments));
        if !self.exports.functions {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "the component exports no functions though its schema has some",
            )
            .hint("the provider's schema and its code don't belong together; rebuild it"));
        }
        let context = Context { token: token.to_owned(), ..Context::default() };
        let value = match self.guest.invoke(self.reading(&context), &typed, preview).await {
            Ok(value) => value,
            Err(Error { kind: ErrorKind::Rejected(failures), .. }) => return Ok(Err(failures)),
            Err(error) => return Err(error),
        };
        let failures = conform_return(&self.package, function, &value);
        nonconforming(&format!("the function `{token}`"), &failures)?;
        Ok(Ok(bulkhead_schema::secrets::mark_return(&self.package, function, value)))
    }
}
