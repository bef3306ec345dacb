//! Returns ids that break what they are put into: lines, records, terminals, headers. Which one says the input `what`.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error, Partial};
use hostile::{Attack, attack, field, object, text};

struct Forged;

impl Attack for Forged {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let unready = what.strip_suffix(" and unready");
        let id = match unready.unwrap_or(&what) {
            "nul" => "made\0-1".to_owned(),
            "lines" => "made-1\r\n+ urn:pulumi:dev::project::a:b:C::forged".to_owned(),
            "escape" => "\u{1b}[2J\u{1b}[1;1Hmade-1".to_owned(),
            "large" if unready.is_some() => "x".repeat(100_000),
            "large" => "x".repeat(10_000_000),
            "larger" => "x".repeat(20_000_000),
            "unknown" => "04da6b54-80e4-46f7-96ec-b56ff0331ba9".to_owned(),
            "empty" => String::new(),
            other => other.to_owned(),
        };
        let state = object(&["text"], vec![text("made")]);
        if unready.is_some() {
            let reasons = vec!["half".to_owned()];
            return Err(Error::NotInitialised(Partial {
                id,
                state,
                inputs: None,
                reasons,
                refresh_before_update: false,
            }));
        }
        Ok(Created { id, state, refresh_before_update: false })
    }
}

attack!(Forged);
