//! A guest under guard: every call gathers the secrets of its request, and nothing comes back that shows one.

use std::sync::Arc;

use async_trait::async_trait;
use bulkhead_schema::{Checked, Difference, Package};
use bulkhead_value::{Object, PropertyPath, Value};

use super::call::{Leaks, Remembered};
use super::deployment::GuardedDeployment;
use crate::provider::{
    Call, Called, ConstructRequest, Constructed, Created, Dependencies, Deployment, Error, Fault, Found, Guest,
    GuestCheck, GuestDiff, Mapping, MethodRequest, NotUpgraded, Page, PageRequest, Parameterized, Parameters, Prior,
    Snapshot, Subpackage, Updated,
};

/// A guest whose calls are guarded.
pub(in crate::provider) struct Guarded {
    guest: Arc<dyn Guest>,
    /// The secrets of the configuration.
    remembered: Remembered,
}

/// What a call is about, for the guard.
struct Guard {
    leaks: Leaks,
    package: Arc<Package>,
    token: String,
}

impl Guarded {
    /// Guards a guest.
    pub(in crate::provider) fn new(guest: Arc<dyn Guest>) -> Self {
        Self { guest, remembered: Remembered::default() }
    }

    /// The guard of a call that is given these objects, and the call with it.
    fn guard<'o>(&self, call: Call, given: impl IntoIterator<Item = &'o Object>) -> (Call, Guard) {
        let leaks = Leaks::within(&self.remembered, &call.leaving);
        for object in given {
            leaks.gather(&call.package, &call.context.token, object);
        }
        let guard =
            Guard { leaks: leaks.clone(), package: Arc::clone(&call.package), token: call.context.token.clone() };
        (Call { leaks, ..call }, guard)
    }
}

impl Guard {
    fn object(&self, object: Object) -> Object {
        self.leaks.object(&self.package, &self.token, object)
    }

    fn fault(&self, fault: Fault) -> Fault {
        self.leaks.fault(&self.package, &self.token, fault)
    }

    fn error(&self, error: Error) -> Error {
        self.leaks.error(&self.package, &self.token, error)
    }

    fn difference(&self, difference: Difference) -> Difference {
        self.leaks.difference(&self.package, &self.token, difference)
    }

    fn dependencies(&self, dependencies: Dependencies) -> Dependencies {
        dependencies.into_iter().map(|(name, urns)| (self.leaks.text(name), urns)).collect()
    }
}

/// What is on record of a resource and goes to the guest.
fn recorded(prior: &Prior) -> impl Iterator<Item = &Object> {
    let views = prior.views.iter().flat_map(|view| [&view.inputs, &view.state]);
    [&prior.state].into_iter().chain(&prior.inputs).chain(views)
}

/// What can be neither masked nor marked without becoming something else.
fn refused(what: &str) -> Error {
    Error::provider_bug(format!("the provider returned {what} that repeats a secret"))
}

#[async_trait]
impl Guest for Guarded {
    fn unsaid(&self, package: &Package, configuration: &Object) -> Vec<String> {
        self.guest.unsaid(package, configuration)
    }

    fn bind(&self, package: &Package, configuration: &Object, unsaid: &[String]) {
        self.guest.bind(package, configuration, unsaid);
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.guest.variable(name)
    }

    fn may_read(&self, variable: &str) -> bool {
        self.guest.may_read(variable)
    }

    fn withheld(&self, variables: &[&str]) -> Vec<String> {
        self.guest.withheld(variables)
    }

    async fn configure(&self, call: Call, inputs: &Object) -> Result<(), Error> {
        let (call, guard) = self.guard(call, []);
        // Remembered even if it is refused: it was said.
        self.remembered.add(guard.leaks.gather(&guard.package, &guard.token, inputs));
        self.guest.configure(call, inputs).await.map_err(|error| guard.error(error))
    }

    async fn create(&self, call: Call, inputs: &Object) -> Result<Created, Fault> {
        let (call, guard) = self.guard(call, [inputs]);
        let created = self.guest.create(call, inputs).await.map_err(|fault| guard.fault(fault))?;
        Ok(Created { state: guard.object(created.state), ..created })
    }

    async fn read(&self, call: Call, id: &str, prior: Option<&Prior>) -> Result<Option<Snapshot>, Fault> {
        let (call, guard) = self.guard(call, prior.into_iter().flat_map(recorded));
        let found = self.guest.read(call, id, prior).await.map_err(|fault| guard.fault(fault))?;
        Ok(found.map(|found| Snapshot {
            state: guard.object(found.state),
            inputs: found.inputs.map(|inputs| guard.object(inputs)),
            ..found
        }))
    }

    async fn update(&self, call: Call, prior: &Prior, inputs: &Object) -> Result<Updated, Fault> {
        let (call, guard) = self.guard(call, recorded(prior).chain([inputs]));
        let updated = self.guest.update(call, prior, inputs).await.map_err(|fault| guard.fault(fault))?;
        Ok(Updated { state: guard.object(updated.state), ..updated })
    }

    async fn delete(&self, call: Call, prior: &Prior) -> Result<(), Fault> {
        let (call, guard) = self.guard(call, recorded(prior));
        self.guest.delete(call, prior).await.map_err(|fault| guard.fault(fault))
    }

    async fn invoke(&self, call: Call, arguments: &Object, preview: bool) -> Result<Value, Error> {
        let (call, guard) = self.guard(call, [arguments]);
        let value = self.guest.invoke(call, arguments, preview).await.map_err(|error| guard.error(error))?;
        Ok(guard.leaks.value(&guard.package, &guard.token, value))
    }

    async fn check(&self, call: Call, request: GuestCheck<'_>) -> Result<Checked, Error> {
        let given = request.prior_inputs.into_iter().chain(request.prior_state).chain([request.inputs]);
        let (call, guard) = self.guard(call, given);
        let checked = self.guest.check(call, request).await.map_err(|error| guard.error(error))?;
        Ok(guard.leaks.checked(&guard.package, &guard.token, checked))
    }

    async fn diff(&self, call: Call, request: GuestDiff<'_>) -> Result<Difference, Error> {
        let (call, guard) = self.guard(call, recorded(request.prior).chain([request.inputs]));
        let difference = self.guest.diff(call, request).await.map_err(|error| guard.error(error))?;
        Ok(guard.difference(difference))
    }

    async fn preview_create(&self, call: Call, inputs: &Object) -> Result<Object, Error> {
        let (call, guard) = self.guard(call, [inputs]);
        let state = self.guest.preview_create(call, inputs).await.map_err(|error| guard.error(error))?;
        Ok(guard.object(state))
    }

    async fn preview_update(&self, call: Call, prior: &Prior, inputs: &Object) -> Result<Object, Error> {
        let (call, guard) = self.guard(call, recorded(prior).chain([inputs]));
        let state = self.guest.preview_update(call, prior, inputs).await.map_err(|error| guard.error(error))?;
        Ok(guard.object(state))
    }

    async fn check_config(&self, call: Call, prior: Option<&Object>, inputs: &Object) -> Result<Checked, Error> {
        let (call, guard) = self.guard(call, prior.into_iter().chain([inputs]));
        let checked = self.guest.check_config(call, prior, inputs).await.map_err(|error| guard.error(error))?;
        Ok(guard.leaks.checked(&guard.package, &guard.token, checked))
    }

    async fn diff_config(
        &self,
        call: Call,
        prior: &Object,
        inputs: &Object,
        ignore: &[PropertyPath],
    ) -> Result<Difference, Error> {
        let (call, guard) = self.guard(call, [prior, inputs]);
        let difference = self.guest.diff_config(call, prior, inputs, ignore).await;
        difference.map(|difference| guard.difference(difference)).map_err(|error| guard.error(error))
    }

    async fn upgrade(&self, call: Call, from_version: u32, prior: &Prior) -> Result<Prior, NotUpgraded> {
        let (call, guard) = self.guard(call, recorded(prior));
        let upgraded = self.guest.upgrade(call, from_version, prior).await;
        let upgraded = upgraded.map_err(|reason| reason.map(|error| guard.error(error)))?;
        Ok(Prior {
            state: guard.object(upgraded.state),
            inputs: upgraded.inputs.map(|inputs| guard.object(inputs)),
            ..upgraded
        })
    }

    async fn construct(
        &self,
        call: Call,
        deployment: Arc<dyn Deployment>,
        request: &ConstructRequest,
    ) -> Result<Constructed, Error> {
        let (call, guard) = self.guard(call, [&request.inputs]);
        request.options.replacement_trigger.iter().for_each(|trigger| guard.leaks.gather_marked(trigger));
        let deployment = Arc::new(GuardedDeployment::new(deployment, guard.leaks.clone(), &guard.package));
        let constructed = self.guest.construct(call, deployment, request).await.map_err(|error| guard.error(error))?;
        Ok(Constructed {
            state: guard.object(constructed.state),
            dependencies: guard.dependencies(constructed.dependencies),
            ..constructed
        })
    }

    async fn call_method(
        &self,
        call: Call,
        deployment: Arc<dyn Deployment>,
        request: &MethodRequest,
    ) -> Result<Called<Value>, Error> {
        let (call, guard) = self.guard(call, [&request.arguments]);
        let deployment = Arc::new(GuardedDeployment::new(deployment, guard.leaks.clone(), &guard.package));
        let called = self.guest.call_method(call, deployment, request).await.map_err(|error| guard.error(error))?;
        Ok(Called {
            value: guard.leaks.value(&guard.package, &guard.token, called.value),
            dependencies: guard.dependencies(called.dependencies),
        })
    }

    async fn parameterize(&self, call: Call, parameters: &Parameters) -> Result<Parameterized, Error> {
        let (call, guard) = self.guard(call, []);
        let made = self.guest.parameterize(call, parameters).await.map_err(|error| guard.error(error))?;
        let schema = String::from_utf8_lossy(&made.schema);
        if [&made.subpackage.name, &made.subpackage.version, &*schema].into_iter().any(|text| guard.leaks.are_in(text))
        {
            return Err(refused("a sub-package"));
        }
        drop(schema);
        Ok(made)
    }

    fn adopt(&self, parameters: Parameters, made: &Subpackage) {
        self.guest.adopt(parameters, made);
    }

    async fn list_page(&self, call: Call, request: &PageRequest) -> Result<Page, Error> {
        let (call, guard) = self.guard(call, [&request.query]);
        let page = self.guest.list_page(call, request).await.map_err(|error| guard.error(error))?;
        let shown = |found: Found| Found {
            name: found.name.map(|name| guard.leaks.text(name)),
            state: found.state.map(|state| guard.object(state)),
            ..found
        };
        Ok(Page { found: page.found.into_iter().map(shown).collect(), ..page })
    }

    async fn mapping(&self, call: Call, key: &str, provider: Option<&str>) -> Result<Option<Mapping>, Error> {
        let (call, guard) = self.guard(call, []);
        let mapping = self.guest.mapping(call, key, provider).await.map_err(|error| guard.error(error))?;
        let repeats = |mapping: &Mapping| {
            guard.leaks.are_in(&mapping.provider) || guard.leaks.are_in(&String::from_utf8_lossy(&mapping.data))
        };
        match mapping {
            Some(mapping) if repeats(&mapping) => Err(refused("a mapping")),
            mapping => Ok(mapping),
        }
    }

    async fn mappings(&self, call: Call, key: &str) -> Result<Vec<String>, Error> {
        let (call, guard) = self.guard(call, []);
        let names = self.guest.mappings(call, key).await.map_err(|error| guard.error(error))?;
        if names.iter().any(|name| guard.leaks.are_in(name)) {
            return Err(refused("a name of a mapping"));
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    /// The names of the methods between a heading and the end of its block.
    fn methods<'s>(source: &'s str, heading: &str) -> Vec<&'s str> {
        let block = source.split_once(heading).unwrap().1.split_once("\n}\n").unwrap().0;
        let declared = block.lines().filter_map(|line| {
            let line = line.strip_prefix("    ")?;
            line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")
        });
        declared.map(|line| line.split(['(', '<']).next().unwrap()).collect()
    }

    /// A method that the guard left to the trait would be answered by its default, and one that it forgot to ask the guest for
    /// by nobody.
    #[test]
    fn every_method_of_a_guest_passes_the_guard_even_those_with_a_default() {
        let (guest, guarded) = (include_str!("../guest.rs"), include_str!("guarded.rs"));
        let asked = methods(guest, "pub trait Guest: Send + Sync {");
        let answered = methods(guarded, "impl Guest for Guarded {");
        assert!(asked.contains(&"bind") && asked.contains(&"create") && asked.contains(&"mappings"), "{asked:?}");
        for method in asked {
            assert!(answered.contains(&method), "`Guarded` leaves `{method}` to the default of the trait");
            let forwarded = guarded.contains(&format!("self.guest.{method}("));
            assert!(forwarded, "`Guarded::{method}` should ask the guest that it guards");
        }
    }
}
