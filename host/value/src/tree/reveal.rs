//! Taking secrets out of their wrapping.

use crate::Value;

/// Replaces every secret by what it holds, and marks no output as secret.
pub(crate) fn reveal(value: &mut Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        while let Value::Secret(secret) = value {
            *value = secret.take();
        }
        match value {
            Value::List(list) => open.extend(list.iter_mut()),
            Value::Output(output) => {
                output.secret = false;
                open.extend(output.value.as_deref_mut());
            }
            value => open.extend(value.members_mut().into_iter().flat_map(|members| members.values_mut())),
        }
    }
}
