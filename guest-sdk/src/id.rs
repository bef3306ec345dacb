//! Ids of several parts.
//!
//! What lies in something else is found by the names of both, and an import has nothing but the id. Names that are only put together come apart
//! in another place as soon as one of them has a slash in it, and then another thing is read, or deleted.

use crate::error::{Error, Result};

/// Ids that have several parts, with a slash between them: how they are made, and taken apart again.
///
/// A slash in a part is written `%2F`, and a percent sign `%25`, so that what is taken apart is always what was put together.
///
/// ```
/// # use bulkhead_sdk::{Create, Created, Inputs, Read, Resource, Result, Snapshot, State, fields, provider, resource};
/// use bulkhead_sdk::CompositeId;
///
/// const ID: CompositeId<2> = CompositeId::new("vhost/name");
/// # #[derive(Inputs)]
/// # struct QueueArgs { vhost: String, name: String }
/// # #[derive(State)]
/// # struct Queue { #[bulkhead(flatten)] args: QueueArgs }
/// # #[resource(token = "mq:index:Queue")]
/// # impl Resource for Queue {
/// #     type Inputs = QueueArgs;
///
/// fn create(request: Create<Self>) -> Result<Created<Self>> {
///     let args = request.inputs;
///     Ok(Created::new(ID.join([&args.vhost, &args.name]), Queue { args }))
/// }
///
/// fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
///     let [vhost, name] = ID.split(&request.id)?;
///     Ok(Some(Snapshot::new(request.id, Queue { args: QueueArgs { vhost, name } })))
/// }
/// # }
/// # provider! { name: "mq", resources: [Queue] }
/// # let driver = bulkhead_sdk::testing::Driver::new(&PROVIDER, ());
/// # let queue = driver.create::<Queue>(fields! { "vhost": "/", "name": "orders" })?;
/// # assert_eq!(queue.id, "%2F/orders");
/// # assert_eq!(driver.import::<Queue>("%2F/orders")?.unwrap().state.args.vhost, "/");
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CompositeId<const N: usize>(&'static str);

impl<const N: usize> CompositeId<N> {
    /// Ids of this form: what each part is, as users are told it. In a constant, a form of another number of parts doesn't compile.
    ///
    /// # Panics
    /// The form hasn't as many parts.
    pub const fn new(form: &'static str) -> Self {
        assert!(parts(form) == N, "the form of an id names each of its parts, with a slash between them");
        Self(form)
    }

    /// The id that has these parts.
    pub fn join(&self, parts: [&str; N]) -> String {
        parts.map(|part| part.replace('%', "%25").replace('/', "%2F")).join("/")
    }

    /// The parts of an id. An error that tells the form if it has others, as one that somebody imports by may.
    pub fn split(&self, id: &str) -> Result<[String; N]> {
        let part = |part: &str| part.replace("%2F", "/").replace("%2f", "/").replace("%25", "%");
        let parts: Vec<String> = id.split('/').map(part).collect();
        parts.try_into().map_err(|parts: Vec<String>| {
            let (count, form) = (parts.len(), self.0);
            let noun = if count == 1 { "part" } else { "parts" };
            Error::other(format!(
                "the id has {count} {noun}, and {N} are needed\nhint: write it as `{form}`, a slash in one of them as %2F"
            ))
        })
    }
}

/// How many parts a form has.
const fn parts(form: &str) -> usize {
    let mut parts = 1;
    let mut rest = form.as_bytes();
    while let [first, others @ ..] = rest {
        if *first == b'/' {
            parts += 1;
        }
        rest = others;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ID: CompositeId<2> = CompositeId::new("vhost/name");

    proptest! {
        #[test]
        fn what_is_taken_apart_is_what_was_put_together(first in "[%/2Ff5a]{0,8}", second: String) {
            prop_assert_eq!(ID.split(&ID.join([&first, &second])).unwrap(), [first, second]);
        }
    }

    #[test]
    fn an_id_of_another_form_is_told_the_right_one() {
        for (id, parts) in [("orders", "1 part"), ("//orders", "3 parts"), ("", "1 part")] {
            let hint = "hint: write it as `vhost/name`, a slash in one of them as %2F";
            let told = format!("the id has {parts}, and 2 are needed\n{hint}");
            assert_eq!(ID.split(id).unwrap_err().to_string(), told, "{id}");
        }
        assert_eq!(ID.split("%2f/50%").unwrap(), ["/", "50%"], "as people type them");
    }
}
