//! Calls its host with a value as deep as may be when there is next to no stack left, again and again until there is none.

use hostile::types::{CheckRequest, Context};
use hostile::{Attack, Field, Method, Node, Tree, attack, defaults, log, text};

struct Low;

/// A value of so many levels.
fn deep(levels: u32) -> Tree {
    let mut nodes = vec![text("deep")];
    nodes.extend((0..levels).map(|inner| match inner % 3 {
        0 => Node::Items(vec![inner]),
        1 => Node::Secret(inner),
        _ => Node::Fields(vec![Field { name: "what".to_owned(), value: inner }]),
    }));
    nodes.push(Node::Fields(vec![Field { name: "what".to_owned(), value: levels }]));
    Tree { nodes }
}

#[allow(unconditional_recursion, reason = "that is the attack")]
fn deeper(depth: u32, request: &CheckRequest) -> u32 {
    let here = std::hint::black_box([depth; 8]);
    if depth.is_multiple_of(32) {
        let _ = defaults::check(request);
        log::status("deeper");
    }
    deeper(depth + 1, request).wrapping_add(here[0])
}

impl Attack for Low {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            let context = Context { token: "hostile:index:Thing".to_owned(), name: None, urn: None, timeout: None };
            let request = CheckRequest {
                context,
                prior_inputs: None,
                prior_state: None,
                inputs: deep(1_000),
                seed: None,
                autonaming: None,
            };
            std::hint::black_box(deeper(0, &request));
        }
    }
}

attack!(Low);
