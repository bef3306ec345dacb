//! What is asked of a contender: prepared once, so that making it isn't part of what is measured.

use anyhow::{Context, Result, ensure};
use bulkhead_proto::provider::{
    CheckRequest, CheckResponse, CreateRequest, DiffRequest, InvokeRequest, diff_response::DiffChanges,
};
use bulkhead_proto::raw::Struct;
use bulkhead_value::{List, Object, Value};
use tonic::Status;

use crate::contender::Contender;
use crate::operation::Operation;
use crate::plugin::Client;
use crate::values::wire;

/// Requests about one resource, and one function.
#[derive(Clone, Debug)]
pub(crate) struct Requests {
    check: CheckRequest,
    create: CreateRequest,
    diff: DiffRequest,
    invoke: Option<InvokeRequest>,
}

impl Requests {
    /// About a random string of twelve letters and digits.
    ///
    /// # Errors
    /// The provider doesn't take it.
    pub(crate) async fn random_string(contender: &Contender, client: &mut Client) -> Result<Self> {
        let inputs = Object::from([("length", Value::from(12.0)), ("special", Value::from(false))]);
        let mut requests = Self::about(contender.random_string, inputs, client).await?;
        if let Some(token) = contender.pick_word {
            let words: List = ["cat", "dog", "horse", "mouse"].into_iter().map(Value::from).collect();
            let arguments = Object::from([("words", Value::List(words)), ("at", Value::from(2.0))]);
            let invoke = InvokeRequest { tok: token.to_owned(), args: Some(wire(&arguments)?), ..<_>::default() };
            let invoked = client.invoke(invoke.clone()).await?.into_inner();
            ensure!(invoked.failures.is_empty(), "invoke {token}: {:?}", invoked.failures);
            requests.invoke = Some(invoke);
        }
        Ok(requests)
    }

    /// About a resource of a type.
    ///
    /// # Errors
    /// The provider doesn't take it, or sees a change where there is none.
    pub(crate) async fn about(token: &str, inputs: Object, client: &mut Client) -> Result<Self> {
        let urn = format!("urn:pulumi:dev::benchmark::{token}::name");
        let (name, r#type) = ("name".to_owned(), token.to_owned());
        let check = CheckRequest {
            urn: urn.clone(),
            name: name.clone(),
            r#type: r#type.clone(),
            news: Some(wire(&inputs)?),
            random_seed: vec![7; 32].into(),
            ..<_>::default()
        };
        let checked = inputs_of(client.check(check.clone()).await?.into_inner())?;
        let create = CreateRequest {
            urn: urn.clone(),
            name: name.clone(),
            r#type: r#type.clone(),
            properties: Some(checked.clone()),
            ..<_>::default()
        };
        let created = client.create(create.clone()).await?.into_inner();
        let diff = DiffRequest {
            urn,
            name,
            r#type,
            id: created.id,
            olds: created.properties,
            old_inputs: Some(checked.clone()),
            news: Some(checked),
            ..<_>::default()
        };
        let difference = client.diff(diff.clone()).await?.into_inner();
        ensure!(difference.changes() != DiffChanges::DiffSome, "diff {token}: nothing changed, but a change was found");
        Ok(Self { check, create, diff, invoke: None })
    }

    /// Whether an operation can be asked for.
    pub(crate) fn has(&self, operation: Operation) -> bool {
        operation != Operation::Invoke || self.invoke.is_some()
    }

    /// Does an operation once.
    ///
    /// # Errors
    /// What the provider answers.
    pub(crate) async fn perform(&self, operation: Operation, client: &mut Client) -> Result<(), Status> {
        match operation {
            Operation::GetPluginInfo => drop(client.get_plugin_info(()).await?),
            Operation::Check => drop(client.check(self.check.clone()).await?),
            Operation::Diff => drop(client.diff(self.diff.clone()).await?),
            Operation::Create => drop(client.create(self.create.clone()).await?),
            Operation::CheckAndCreate => {
                let checked = client.check(self.check.clone()).await?.into_inner();
                let create = CreateRequest { properties: checked.inputs, ..self.create.clone() };
                drop(client.create(create).await?);
            }
            Operation::Invoke => {
                let Some(invoke) = &self.invoke else { return Err(Status::unimplemented("there is no function")) };
                drop(client.invoke(invoke.clone()).await?);
            }
        }
        Ok(())
    }
}

fn inputs_of(checked: CheckResponse) -> Result<Struct> {
    ensure!(checked.failures.is_empty(), "check its inputs: {:?}", checked.failures);
    checked.inputs.context("check its inputs: there are none")
}
