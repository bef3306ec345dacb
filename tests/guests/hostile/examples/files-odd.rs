//! Looks at all that is in the directory that it was granted, opens it and reads its last byte; tries to have what is no file by another
//! name, and to set its times.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, granted, object, text};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, NewTimestamp, OpenFlags, PathFlags};

struct Odd;

fn last(directory: &Descriptor, follow: PathFlags, name: &str) -> Result<usize, ErrorCode> {
    let file = directory.open_at(follow, name, OpenFlags::empty(), DescriptorFlags::READ)?;
    let size = file.stat()?.size;
    Ok(file.read(1_000_000, size.saturating_sub(1))?.0.len())
}

fn tried(directory: &Descriptor, name: &str) -> String {
    let ways = [PathFlags::SYMLINK_FOLLOW, PathFlags::empty()].map(|follow| match last(directory, follow, name) {
        Ok(read) => format!("{read} read"),
        Err(code) => code.name().to_owned(),
    });
    let looked = if directory.stat_at(PathFlags::empty(), name).is_ok() { "there" } else { "hidden" };
    let short: String = name.chars().take(10).collect();
    format!("{short} {looked}: {}", ways.join(", "))
}

/// Sets the times of what a name leads to.
fn timed(directory: &Descriptor, name: &str) -> String {
    let timed = directory.set_times_at(PathFlags::SYMLINK_FOLLOW, name, NewTimestamp::NoChange, NewTimestamp::Now);
    format!("times of {name}: {}", timed.err().map_or("set", |error| error.name()))
}

impl Attack for Odd {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let directory = &granted()?;
        let (mut found, mut unnamed) = (Vec::new(), 0);
        let entries = directory.read_directory().expect("a directory can be listed");
        loop {
            match entries.read_directory_entry() {
                Ok(Some(entry)) => found.push(tried(directory, &entry.name)),
                Ok(None) => break,
                Err(_) => unnamed += 1,
            }
        }
        found.sort();
        for (at, name) in ["pipe", "socket"].into_iter().enumerate() {
            let (linked, moved) = (format!("linked-{at}"), format!("moved-{at}"));
            let _ = directory.link_at(PathFlags::empty(), name, directory, &linked);
            let _ = directory.rename_at(name, directory, &moved);
            found.extend([tried(directory, &linked), tried(directory, &moved)]);
        }
        found.push(format!("{unnamed} without a name"));
        found.extend(["far", "moved-0", "moved-1", "to-self", "to-zero", "."].map(|name| timed(directory, name)));
        Ok(object(&["text"], vec![text(&found.join("\n"))]))
    }
}

attack!(Odd);
