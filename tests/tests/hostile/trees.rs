//! Trees that aren't trees: each is refused as a whole, told apart as the provider's bug, and loses no resource.

use bulkhead::component::Limits;
use bulkhead_tests::serving::init_failed;
use bulkhead_value::Object;
use tonic::Code;

use crate::{BUG, REPORT, TELL, THING, hostile, seen, undisturbed, what};

/// Guests that return such a tree, and what is said of it.
const TREES: [(&str, &str); 10] = [
    ("tree-cycle", "a value tree whose node 0 names node 1, which doesn't come before it"),
    ("tree-shared", "a value tree that uses node 0 twice"),
    ("tree-forward", "a value tree whose node 0 names node 0, which doesn't come before it"),
    ("tree-dangling", "a value tree whose node 0 names node 4294967295, which doesn't come before it"),
    ("tree-root", "a value tree that leaves 1 of its nodes unused"),
    ("tree-empty", "a value tree without nodes"),
    ("tree-deep", "a value tree deeper than 1024 levels"),
    ("tree-duplicate", "a value tree whose node 100000 names a field twice"),
    ("tree-opaque", "a value tree with a node of a later contract, at 1"),
    ("file-forged", "a value tree in which property `any` names a file or an address that nobody gave it"),
];

#[tokio::test]
async fn what_is_no_tree_is_refused_and_loses_no_resource() {
    undisturbed(async {
        for (guest, said) in TREES {
            let serving = hostile(guest, Limits::default()).await;
            let left = init_failed(&serving.create(THING, what("x")).await.expect_err(guest));
            assert_eq!((left.id.as_str(), left.state), ("made-1", Object::new()), "{guest}");
            assert_eq!(
                left.reasons,
                [format!("the provider's result can't be used: it returned {said}{BUG}")],
                "{guest}"
            );
            let status = serving.invoke(TELL, Object::new()).await.expect_err(guest);
            let message = format!("call the function: the provider returned {said}{BUG}{REPORT}");
            assert_eq!(seen(&status), (Code::Aborted, message.as_str()), "{guest}");
        }
    })
    .await;
}
