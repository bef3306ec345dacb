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

/// How often the link was there, and what is a directory now has a file again.
fn swap(directory: &Descriptor) -> usize {
    let _ = directory.unlink_file_at("way/inner");
    let _ = directory.remove_directory_at("way");
    let linked = directory.symlink_at("..", "way").is_ok();
    let _ = directory.unlink_file_at("way");
    let _ = directory.create_directory_at("way");
    let _ = directory.open_at(PathFlags::empty(), "way/inner", OpenFlags::CREATE, DescriptorFlags::WRITE);
    usize::from(linked)
}

/// How often something was reached that would be outside.
fn look(directory: &Descriptor) -> usize {
    let open = |path, how, access| directory.open_at(PathFlags::SYMLINK_FOLLOW, path, how, access).is_ok();
    usize::from(open("way/secret", OpenFlags::empty(), DescriptorFlags::READ))
        + usize::from(directory.stat_at(PathFlags::SYMLINK_FOLLOW, "way/secret").is_ok())
        + usize::from(directory.rename_at("way/secret", directory, "taken").is_ok())
}

/// Whether the file inside was.
fn is_inside(directory: &Descriptor) -> bool {
    directory.open_at(PathFlags::SYMLINK_FOLLOW, "way/inner", OpenFlags::empty(), DescriptorFlags::READ).is_ok()
}

impl Attack for Swap {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directory = &granted()?;
        let (begun, mut swapped, mut reached, mut inside) = (now(), 0, 0, 0);
        while now() - begun < WHILE {
            match what.as_str() {
                "swap" => swapped += swap(directory),
                _ => {
                    reached += look(directory);
                    inside += usize::from(is_inside(directory));
                }
            }
        }
        // Whoever looked only before anything was there or after all was over saw nothing.
        let some = |count: usize| if count > 0 { "some" } else { "none" };
        let told = match what.as_str() {
            "swap" => format!("{} swapped", some(swapped)),
            _ => format!("{reached} reached, {} inside", some(inside)),
        };
        Ok(object(&["text"], vec![text(&told)]))
    }
}

attack!(Swap);
