//! Names files by paths of a hundred megabytes, in each function of the directory that it was granted that takes one.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, granted, object, text};
use wasip2::filesystem::types::{DescriptorFlags, NewTimestamp, OpenFlags, PathFlags};

struct Huge;

impl Attack for Huge {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let directory = &granted()?;
        let path = "x/".repeat(50_000_000);
        let (none, now) = (PathFlags::empty(), NewTimestamp::Now);
        let outcomes = [
            directory.open_at(none, &path, OpenFlags::CREATE, DescriptorFlags::WRITE).map(drop),
            directory.stat_at(none, &path).map(drop),
            directory.set_times_at(none, &path, now, now),
            directory.create_directory_at(&path),
            directory.link_at(none, &path, directory, "linked"),
            directory.link_at(none, "linked", directory, &path),
            directory.symlink_at(&path, "pointing"),
            directory.symlink_at("pointing", &path),
            directory.rename_at(&path, directory, &path),
            directory.readlink_at(&path).map(drop),
            directory.remove_directory_at(&path),
            directory.unlink_file_at(&path),
            directory.metadata_hash_at(none, &path).map(drop),
        ];
        let outcomes = outcomes.map(|outcome| outcome.err().map_or("done", |error| error.name()));
        Ok(object(&["text"], vec![text(&outcomes.join(" "))]))
    }
}

attack!(Huge);
