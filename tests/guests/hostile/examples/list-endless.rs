//! Lists things page by page, and never comes to an end: pages without results, or with them, as the query `what` says.

use hostile::exports::lists::{ListItem, ListRequest, Page};
use hostile::types::Error;
use hostile::{Attack, attack, field};

struct Endless;

impl Attack for Endless {
    fn list_page(&self, request: ListRequest) -> Result<Page, Error> {
        let number = request.continuation.as_deref().map_or(0, |text| text.parse::<u64>().unwrap_or(0)) + 1;
        let item = |number: u64| ListItem { id: format!("made-{number}"), name: None, state: None };
        Ok(match field(&request.query, "what").as_deref() {
            Some("empty") => Page { items: Vec::new(), continuation: Some(number.to_string()) },
            Some("same") => Page { items: vec![item(number)], continuation: Some("same".to_owned()) },
            Some("large") => Page { items: (0..1_500_000).map(item).collect(), continuation: None },
            Some("continuation") => Page { items: vec![item(1)], continuation: Some("x".repeat(50_000_000)) },
            _ => Page { items: vec![item(number)], continuation: Some(number.to_string()) },
        })
    }
}

attack!(Endless);
