//! Assets that no request holds, and handles that nobody gives back.

use std::cell::RefCell;

use bulkhead_sdk::value::{ArchiveSource, AssetSource};
use bulkhead_sdk::{Archive, Asset, Enum, Inputs, Result, State, assets, function};

#[derive(Clone, Copy, Enum)]
enum Kind {
    Asset,
    Archive,
    /// The asset of the arguments, without its hash.
    WithoutHash,
    /// A text that nobody gave.
    Text,
}

#[derive(Inputs)]
pub(crate) struct ForgeArgs {
    /// What to make up.
    kind: Kind,
    /// A path.
    path: String,
    /// An asset that is really there.
    real: Option<Asset>,
}

/// What came of it.
#[derive(State)]
pub(crate) struct Came {
    /// In words.
    text: String,
}

/// Opens what the request doesn't hold.
#[function(token = "reading:index:forge")]
pub(crate) fn forge(args: ForgeArgs) -> Result<Came> {
    let asset = |source| Asset { hash: None, source };
    let opened = match args.kind {
        Kind::Asset => assets::open(&asset(AssetSource::Path(args.path))).map(drop),
        Kind::Text => assets::open(&asset(AssetSource::Text(args.path))).map(drop),
        Kind::Archive => {
            assets::open_archive(&Archive { hash: None, source: ArchiveSource::Path(args.path) }).map(drop)
        }
        Kind::WithoutHash => {
            let source = args.real.map_or(AssetSource::Elided, |real| real.source);
            assets::open(&asset(source)).map(drop)
        }
    };
    opened.map(|()| Came { text: "opened".to_owned() })
}

thread_local! {
    static KEPT: RefCell<Vec<assets::Blob>> = const { RefCell::new(Vec::new()) };
}

#[derive(Inputs)]
pub(crate) struct KeepArgs {
    /// What to keep open.
    asset: Asset,
    /// How often.
    times: u32,
}

/// Keeps an asset open beyond its call, and tells how many were open before.
#[function(token = "reading:index:keep")]
pub(crate) fn keep(args: KeepArgs) -> Result<Came> {
    let before = KEPT.with_borrow(Vec::len);
    for _ in 0..args.times {
        let blob = assets::open(&args.asset)?;
        KEPT.with_borrow_mut(|kept| kept.push(blob));
    }
    Ok(Came { text: before.to_string() })
}
