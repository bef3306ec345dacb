//! A place in the document: a value and where it stands.

use super::json::{Json, Members};

/// A value in the document. Knows its place, so that a problem can name it; the place is only spelt out if it must be.
#[derive(Clone, Copy)]
pub(super) struct Node<'n> {
    pub(super) json: &'n Json<'n>,
    step: Step<'n>,
}

#[derive(Clone, Copy)]
enum Step<'n> {
    Root,
    Member(&'n Node<'n>, &'n str),
    Element(&'n Node<'n>, usize),
}

impl<'n> Node<'n> {
    pub(super) fn root(json: &'n Json<'n>) -> Self {
        Self { json, step: Step::Root }
    }

    /// The member of this name. A null is as good as absent: generators write them.
    pub(super) fn member(&'n self, name: &'n str) -> Option<Node<'n>> {
        let json = self.json.get(name).filter(|json| !json.is_null())?;
        Some(Node { json, step: Step::Member(self, name) })
    }

    /// The member of this name, if it isn't an empty text either: generators write those for what isn't there, as nulls, and
    /// upstream's reader makes no difference.
    pub(super) fn stated(&'n self, name: &'n str) -> Option<Node<'n>> {
        self.member(name).filter(|member| member.json.as_str() != Some(""))
    }

    /// The members, if it is an object.
    pub(super) fn members(&'n self) -> impl Iterator<Item = (&'n str, Node<'n>)> {
        let members = self.json.as_object().into_iter().flat_map(Members::iter);
        members
            .filter(|(_, json)| !json.is_null())
            .map(|(name, json)| (name, Node { json, step: Step::Member(self, name) }))
    }

    /// The elements, if it is an array.
    pub(super) fn elements(&'n self) -> impl Iterator<Item = Node<'n>> {
        let elements = self.json.as_array().into_iter().flatten();
        elements.enumerate().map(|(index, json)| Node { json, step: Step::Element(self, index) })
    }

    /// The place as a JSON pointer in a fragment.
    pub(super) fn location(&self) -> String {
        let mut steps = Vec::new();
        let mut node = self;
        loop {
            node = match &node.step {
                Step::Root => break,
                Step::Member(parent, name) => {
                    steps.push(name.replace('~', "~0").replace('/', "~1"));
                    parent
                }
                Step::Element(parent, index) => {
                    steps.push(index.to_string());
                    parent
                }
            };
        }
        steps.push("#".to_owned());
        steps.reverse();
        steps.join("/")
    }
}

/// What a JSON value is, with its article.
pub(super) fn kind(json: &Json<'_>) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}
