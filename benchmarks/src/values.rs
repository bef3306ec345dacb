//! Values of a given number of nodes, in the shape that big properties have: a list of records.

use anyhow::Result;
use bulkhead_proto::raw::Struct;
use bulkhead_value::wire::encode::{self, Capabilities};
use bulkhead_value::{List, Object, Value};

/// A record and its four members.
const RECORD: usize = 5;

/// A list that is `nodes` nodes with everything in it, itself included.
pub(crate) fn of_nodes(nodes: usize) -> Value {
    let inside = nodes.saturating_sub(1);
    let records = (0..inside / RECORD).map(record);
    let rest = (0..inside % RECORD).map(|index| Value::from(format!("rest-{index}")));
    Value::List(records.chain(rest).collect::<List>())
}

fn record(index: usize) -> Value {
    let size = u32::try_from(index % 1_000).unwrap_or_default();
    Value::Object(Object::from([
        ("name", Value::from(format!("record-{index}"))),
        ("kind", Value::from("example")),
        ("size", Value::from(f64::from(size))),
        ("enabled", Value::from(index.is_multiple_of(2))),
    ]))
}

/// An object as it is sent.
///
/// # Errors
/// None for what is made here.
pub(crate) fn wire(object: &Object) -> Result<Struct> {
    Ok(Struct::from_bytes(encode::properties(object, &Capabilities::ALL)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_as_many_nodes_as_it_should() {
        for nodes in [1, 2, 6, 10, 100, 1_000] {
            assert_eq!(of_nodes(nodes).nodes(), nodes);
        }
    }
}
