//! Opens the directory that it was granted again and again, or a file in it of which it keeps a stream and no more, as the argument
//! `what` says: each takes a descriptor of the process.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, granted, told};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};
use wasip2::io::streams::InputStream;

struct Flood;

/// What is kept open.
#[allow(dead_code, reason = "kept, and not used")]
enum Kept {
    Directory(Descriptor),
    Stream(InputStream),
}

fn open(directory: &Descriptor, what: &str) -> Result<Kept, ErrorCode> {
    if what == "streams" {
        let file = directory.open_at(PathFlags::empty(), "one", OpenFlags::CREATE, DescriptorFlags::READ)?;
        return file.read_via_stream(0).map(Kept::Stream);
    }
    directory.open_at(PathFlags::empty(), ".", OpenFlags::DIRECTORY, DescriptorFlags::READ).map(Kept::Directory)
}

impl Attack for Flood {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directory = &granted()?;
        let mut kept = Vec::new();
        while kept.len() < 2_000 {
            match open(directory, &what) {
                Ok(opened) => kept.push(opened),
                Err(error) => {
                    return Err(Error::Failed(format!("{} are open, and then comes {}", kept.len(), told(error))));
                }
            }
        }
        Err(Error::Failed("all are open".to_owned()))
    }
}

attack!(Flood);
