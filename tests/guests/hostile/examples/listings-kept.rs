//! Lists the directory that it was granted again and again, or begins to read a file in it, as the argument `what` says, and goes
//! on with none of it: the host keeps the names, and what was read ahead.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, granted};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, OpenFlags, PathFlags};

struct Keep;

fn opened(directory: &Descriptor) -> Descriptor {
    directory.open_at(PathFlags::empty(), "one", OpenFlags::empty(), DescriptorFlags::READ).expect("there is a file")
}

impl Attack for Keep {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let directory = &granted()?;
        if what == "streams" {
            let (file, mut streams) = (opened(directory), Vec::new());
            for _ in 0..5_000 {
                let stream = file.read_via_stream(0).expect("a file can be read");
                stream.blocking_read(1).expect("there is something in it");
                streams.push(stream);
            }
        } else {
            let mut listings = Vec::new();
            for _ in 0..5_000 {
                listings.push(directory.read_directory().expect("a directory can be listed"));
            }
        }
        Err(Error::Failed("there is room for all of them".to_owned()))
    }
}

attack!(Keep);
