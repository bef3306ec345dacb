//! Swaps a directory in the one that it was granted for a link out of that, and back, without end, while other calls of it read and
//! take files through whatever is there.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, granted, object, text};
use wasip2::clocks::monotonic_clock::now;
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

/// How long each call goes on, nanoseconds.
const WHILE: u64 = 1_000_000_000;

struct Swap;

fn swap(directory: &Descriptor) {
    let _ = directory.remove_directory_at("way");
    let _ = directory.symlink_at("..", "way");
    let _ = directory.unlink_file_at("way");
    let _ = directory.create_directory_at("way");
}

/// How often something outside was reached.
fn look(directory: &Descriptor) -> usize {
    let open = |path, how, access| directory.open_at(PathFlags::SYMLINK_FOLLOW, path, how, access).is_ok();
    usize::from(open("way/secret", OpenFlags::empty(), DescriptorFlags::READ))
        + usize::from(directory.stat_at(PathFlags::SYMLINK_FOLLOW, "way/secret").is_ok())
        + usize::from(directory.rename_at("way/secret", directory, "taken").is_ok())
}

impl Attack for Swap {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directory = &granted()?;
        let (begun, mut reached) = (now(), 0);
        while now() - begun < WHILE {
            match what.as_str() {
                "swap" => swap(directory),
                _ => reached += look(directory),
            }
        }
        Ok(object(&["text"], vec![text(&format!("{reached} reached"))]))
    }
}

attack!(Swap);
