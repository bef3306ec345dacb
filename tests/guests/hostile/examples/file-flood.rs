//! Makes entries without end in the directory that it was granted, and writes nothing into any of them: files, directories, links or
//! other names of one file, as the argument `what` says.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, granted, told};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};

struct Flood;

/// One more.
fn make(directory: &Descriptor, what: &str, name: &str) -> Result<(), ErrorCode> {
    let file =
        |name: &str| directory.open_at(PathFlags::empty(), name, OpenFlags::CREATE, DescriptorFlags::WRITE).map(drop);
    match what {
        "directories" => directory.create_directory_at(name),
        "links" => directory.symlink_at("nowhere", name),
        "names" => {
            file("one")?;
            directory.link_at(PathFlags::empty(), "one", directory, name)
        }
        _ => file(name),
    }
}

impl Attack for Flood {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directory = &granted()?;
        let mut number = 0;
        loop {
            if let Err(error) = make(directory, &what, &format!("{what}-{number}")) {
                return Err(Error::Failed(format!("the end of the {what} is {}", told(error))));
            }
            number += 1;
        }
    }
}

attack!(Flood);
