//! A provider in one file: random strings, which stay the same until they are replaced.

use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, provider, resource};
use rand::{rand_core::UnwrapErr, rngs::SysRng, seq::IndexedRandom};

#[cfg(test)]
mod tests;

#[derive(Inputs)]
struct Args {
    /// How many characters the string has.
    #[bulkhead(replace, minimum = 1, maximum = 1024)]
    length: u32,
    /// Whether upper-case letters are used.
    #[bulkhead(replace, output_default = true)]
    upper: bool,
    /// Whether digits are used.
    #[bulkhead(replace, output_default = true)]
    digits: bool,
}

/// A random string.
#[derive(State)]
struct RandomString {
    #[bulkhead(flatten)]
    args: Args,
    /// The string.
    #[bulkhead(secret)]
    result: String,
}

#[resource(token = "random-string:index:RandomString")]
impl Resource for RandomString {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let mut characters: Vec<char> = ('a'..='z').collect();
        characters.extend(('A'..='Z').filter(|_| args.upper));
        characters.extend(('0'..='9').filter(|_| args.digits));
        let mut random = UnwrapErr(SysRng);
        let result = (0..args.length).filter_map(|_| characters.choose(&mut random)).collect();
        Ok(Created::new("none", Self { args, result }))
    }
}

provider! {
    name: "random-string",
    description: "Random strings",
    license: "Apache-2.0",
    resources: [RandomString],
}
