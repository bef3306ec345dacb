//! What Bulkhead is measured with: the schema of the native peer in `benchmarks/peer`, and code that is as cheap, so that what is
//! around it is measured. Nothing is tuned on either side.

use bulkhead_sdk::{Create, Created, Error, Inputs, Resource, Result, State, Value, function, provider, resource};
use rand::seq::IndexedRandom;

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const SPECIAL: &[u8] = b"!@#$%&*()-_=+[]{}<>:?";

#[derive(Inputs)]
struct RandomStringArgs {
    /// How many characters the string has.
    #[bulkhead(replace)]
    length: u32,
    /// Whether special characters are used.
    #[bulkhead(replace, default = true)]
    special: bool,
}

/// A random string.
#[derive(State)]
struct RandomString {
    #[bulkhead(flatten)]
    args: RandomStringArgs,
    /// The string.
    result: String,
}

#[resource(token = "benchmark:index:RandomString")]
impl Resource for RandomString {
    type Inputs = RandomStringArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let characters = if args.special { [LETTERS, SPECIAL].concat() } else { LETTERS.to_vec() };
        let mut random = rand::rng();
        let drawn = (0..args.length).filter_map(|_| characters.choose(&mut random));
        let result: String = drawn.map(|character| char::from(*character)).collect();
        Ok(Created::new(result.clone(), Self { args, result }))
    }
}

#[derive(Inputs)]
struct DocumentArgs {
    /// The value.
    content: Value,
}

/// A value of any shape, kept as it is.
#[derive(State)]
struct Document {
    #[bulkhead(flatten)]
    args: DocumentArgs,
}

#[resource(token = "benchmark:index:Document")]
impl Resource for Document {
    type Inputs = DocumentArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("document", Self { args: request.inputs }))
    }
}

#[derive(Inputs)]
struct PickWordArgs {
    /// The words to pick from.
    words: Vec<String>,
    /// Which one to pick, counted from 0.
    at: u32,
}

/// What was picked.
#[derive(State)]
struct PickWordResult {
    /// The word.
    word: String,
}

/// Picks one of some words.
#[function(token = "benchmark:index:pickWord")]
fn pick_word(args: PickWordArgs) -> Result<PickWordResult> {
    let word = args.words.into_iter().nth(args.at as usize);
    word.map(|word| PickWordResult { word }).ok_or_else(|| Error::failed("there are fewer words"))
}

provider! {
    name: "benchmark",
    description: "What is measured",
    license: "Apache-2.0",
    resources: [RandomString, Document],
    functions: [pick_word],
}
