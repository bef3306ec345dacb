//! Reads what it was given where nothing is: before its beginning, beyond its end, at what is no number, as the input `what` says,
//! under names that lead elsewhere; and opens what nobody gave it.

use hostile::bindings::bulkhead::provider::values::{Archive, ArchiveSource, Asset, AssetSource, Node};
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, assets, attack, field, object, text};

struct Offsets;

/// How many bytes it had of what it may have none of.
fn had(inputs: &hostile::Tree) -> Result<usize, assets::AssetError> {
    let mut had = 0;
    for node in &inputs.nodes {
        let Node::Archive(archive) = node else { continue };
        let reader = assets::open_archive(archive)?;
        let odd = ["", ".", "..", "../secret", "/etc/passwd", "./zeros", "zeros/", "\0", "zeros\0"].map(str::to_owned);
        for name in odd.into_iter().chain([".".repeat(1_000_000)]) {
            had += reader.open(&name).and_then(|blob| blob.read(0.0, 16)).map_or(0, |bytes| bytes.len());
        }
        let blob = reader.open("zeros")?;
        let told = field(inputs, "what").and_then(|what| what.parse().ok()).unwrap_or(1e9);
        for offset in [told, 100.0, 9_007_199_254_740_992.0] {
            for length in [0, 1, u32::MAX] {
                had += blob.read(offset, length).map_or(0, |bytes| bytes.len());
            }
        }
        had += blob.read(0.0, u32::MAX).map_or(0, |bytes| bytes.len());
    }
    let path = || "/etc/passwd".to_owned();
    let archive = assets::open_archive(&Archive { hash: None, source: ArchiveSource::Path(path()) });
    had += archive.and_then(|reader| reader.names()).map_or(0, |names| names.len());
    let asset = assets::open_asset(&Asset { hash: None, source: AssetSource::Path(path()) });
    had += asset.and_then(|blob| blob.read(0.0, 16)).map_or(0, |bytes| bytes.len());
    Ok(had)
}

impl Attack for Offsets {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let had = had(&request.inputs).map_err(|error| Error::Failed(format!("{error}")))?;
        let state = object(&["text"], vec![text(&format!("had {had}"))]);
        Ok(Created { id: "made-1".to_owned(), state, refresh_before_update: false })
    }
}

attack!(Offsets);
