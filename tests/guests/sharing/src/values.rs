//! Values and counters.

use std::time::Duration;

use bulkhead_sdk::{Enum, Inputs, Result, State, function, operation, session};

#[derive(Clone, Copy, Enum)]
enum Access {
    Get,
    Set,
    Remove,
    /// Expects that there is no value.
    Insert,
    Add,
}

#[derive(Inputs)]
pub(crate) struct Args {
    /// What to do.
    act: Access,
    /// With what.
    key: String,
    /// The value to set.
    value: Option<String>,
    /// The number to add, or how often to repeat the value.
    amount: Option<i32>,
}

/// What came of it.
#[derive(State)]
pub(crate) struct Came {
    /// The value or number, in words.
    text: String,
}

/// Looks at what is shared, or changes it.
#[function(token = "sharing:index:share")]
pub(crate) fn share(args: Args) -> Result<Came> {
    let key = args.key.as_str();
    let times = usize::try_from(args.amount.unwrap_or(1))?;
    let value = || args.value.clone().unwrap_or_default().repeat(times).into_bytes();
    let text = match args.act {
        Access::Get => shown(session::get(key)),
        Access::Set => {
            session::set(key, &value())?;
            "set".to_owned()
        }
        Access::Remove => {
            let present = session::get(key);
            format!("{:?}", session::compare_and_swap(key, present.as_deref(), None)?.map_err(shown))
        }
        Access::Insert => format!("{:?}", session::compare_and_swap(key, None, Some(&value()))?.map_err(shown)),
        Access::Add => session::add(key, args.amount.unwrap_or(1))?.to_string(),
    };
    Ok(Came { text })
}

fn shown(value: Option<Vec<u8>>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| String::from_utf8_lossy(&value).into_owned())
}

#[derive(Inputs)]
pub(crate) struct TokenArgs {
    /// How long making it takes, in milliseconds.
    pause: u32,
}

/// A token that is made once.
#[function(token = "sharing:index:token")]
pub(crate) fn token(args: TokenArgs) -> Result<Came> {
    let make = || {
        operation::sleep(Duration::from_millis(args.pause.into()))?;
        Ok(format!("token {}", session::add("logins", 1)?).into_bytes())
    };
    Ok(Came { text: String::from_utf8_lossy(&session::get_or_make("token", make)?).into_owned() })
}
