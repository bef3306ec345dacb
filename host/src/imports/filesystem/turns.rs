//! The stock functions of descriptors, each in a turn of its provider (`store/file_turns.rs`).
//!
//! Threads that work on files are the process's, and the stock functions take as many as they are called: so they are called one
//! after the other. What is replaced by name calls these, too, or asks for its turns itself.

use std::sync::Arc;

use wasmtime::component::{HasData, Linker, Resource};
use wasmtime_wasi::filesystem::WasiFilesystemCtxView;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    self, Advice, Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, DirectoryEntryStream,
    ErrorCode, Filesize, Host, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue, NewTimestamp, OpenFlags,
    PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsError, FsResult};

use super::narrow::{Granted, isnt_permitted};
use crate::store::{State, Terms};

/// Replaces the stock functions.
///
/// # Errors
/// Two definitions of one function.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    types::add_to_linker::<_, HasTurns>(linker, filesystem)
}

/// What is there for descriptors, in turns.
pub(super) fn filesystem(state: &mut State) -> InTurns<'_> {
    let terms = Arc::clone(&state.call.terms);
    let (stock, ways, call, surroundings) = state.descriptors();
    InTurns { terms, stock, granted: Granted { ways, call, surroundings } }
}

struct HasTurns;

impl HasData for HasTurns {
    type Data<'a> = InTurns<'a>;
}

/// The descriptors of an instance, and its call, on whose terms there are turns.
pub(super) struct InTurns<'a> {
    stock: WasiFilesystemCtxView<'a>,
    terms: Arc<Terms>,
    granted: Granted<'a>,
}

type Open = Resource<Descriptor>;

/// Bytes of a path, sixteen times what systems take. A guest may pass hundreds of megabytes, which would be there several times while its call waits for a turn.
const LONGEST_PATH: usize = 64 << 10;

/// Refuses paths that no system takes, before anything is made of them.
///
/// # Errors
/// The system's own word for it.
pub(super) fn fit<const N: usize>(paths: [&str; N]) -> Result<(), ErrorCode> {
    if paths.iter().any(|path| path.len() > LONGEST_PATH) { Err(ErrorCode::NameTooLong) } else { Ok(()) }
}

/// Where something is changed: in what is open, whether a link there is followed, and the path.
pub(super) type Place = (u32, PathFlags, String);

impl InTurns<'_> {
    /// What lies at a path, for whoever has more to do with it, and tells itself what of that is denied.
    pub(super) async fn looked_at(
        &mut self,
        directory: Open,
        follow: PathFlags,
        path: String,
    ) -> FsResult<DescriptorStat> {
        self.terms.in_turn(self.stock.stat_at(directory, follow, path)).await
    }

    /// What came of a change at places, with the denial kept where that was granted for reading alone, or leads out of what is granted.
    pub(super) async fn changed<T>(&mut self, outcome: FsResult<T>, places: Vec<Place>) -> FsResult<T> {
        let paths = places.iter().map(|(rep, _, path)| (*rep, path.as_str()));
        if !isnt_permitted(&outcome) || self.granted.is_for_reading(paths) {
            return outcome;
        }
        for (rep, follow, path) in places {
            // What lies where it may be written to, a system has reasons of its own to leave as it is, but anybody may look at it.
            if isnt_permitted(&self.looked_at(Resource::new_borrow(rep), follow, path.clone()).await) {
                self.granted.denied(self.granted.way(rep, &path).as_ref(), &path, true);
                break;
            }
        }
        outcome
    }
}

/// A place where a link is no more than itself.
fn itself(directory: &Open, path: &str) -> Place {
    (directory.rep(), PathFlags::empty(), path.to_owned())
}

impl Host for InTurns<'_> {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        self.stock.convert_error_code(error)
    }

    fn filesystem_error_code(&mut self, error: Resource<wasmtime::Error>) -> wasmtime::Result<Option<ErrorCode>> {
        self.stock.filesystem_error_code(error)
    }
}

impl HostDescriptor for InTurns<'_> {
    fn read_via_stream(&mut self, file: Open, offset: Filesize) -> FsResult<Resource<DynInputStream>> {
        self.stock.read_via_stream(file, offset)
    }

    fn write_via_stream(&mut self, file: Open, offset: Filesize) -> FsResult<Resource<DynOutputStream>> {
        let rep = file.rep();
        let outcome = self.stock.write_via_stream(file, offset);
        self.granted.altered(outcome, rep)
    }

    fn append_via_stream(&mut self, file: Open) -> FsResult<Resource<DynOutputStream>> {
        let rep = file.rep();
        let outcome = self.stock.append_via_stream(file);
        self.granted.altered(outcome, rep)
    }

    async fn advise(&mut self, file: Open, offset: Filesize, length: Filesize, advice: Advice) -> FsResult<()> {
        self.terms.in_turn(self.stock.advise(file, offset, length, advice)).await
    }

    async fn sync_data(&mut self, open: Open) -> FsResult<()> {
        self.terms.in_turn(self.stock.sync_data(open)).await
    }

    async fn get_flags(&mut self, open: Open) -> FsResult<DescriptorFlags> {
        self.terms.in_turn(self.stock.get_flags(open)).await
    }

    async fn get_type(&mut self, open: Open) -> FsResult<DescriptorType> {
        self.terms.in_turn(self.stock.get_type(open)).await
    }

    async fn set_size(&mut self, file: Open, size: Filesize) -> FsResult<()> {
        let rep = file.rep();
        let outcome = self.terms.in_turn(self.stock.set_size(file, size)).await;
        self.granted.altered(outcome, rep)
    }

    async fn set_times(&mut self, open: Open, accessed: NewTimestamp, modified: NewTimestamp) -> FsResult<()> {
        let rep = open.rep();
        let outcome = self.terms.in_turn(self.stock.set_times(open, accessed, modified)).await;
        self.granted.altered(outcome, rep)
    }

    async fn read(&mut self, file: Open, length: Filesize, offset: Filesize) -> FsResult<(Vec<u8>, bool)> {
        self.terms.in_turn(self.stock.read(file, length, offset)).await
    }

    async fn write(&mut self, file: Open, bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize> {
        let rep = file.rep();
        let outcome = self.terms.in_turn(self.stock.write(file, bytes, offset)).await;
        self.granted.altered(outcome, rep)
    }

    async fn read_directory(&mut self, directory: Open) -> FsResult<Resource<DirectoryEntryStream>> {
        self.terms.in_turn(self.stock.read_directory(directory)).await
    }

    async fn sync(&mut self, open: Open) -> FsResult<()> {
        self.terms.in_turn(self.stock.sync(open)).await
    }

    async fn create_directory_at(&mut self, directory: Open, path: String) -> FsResult<()> {
        fit([&path])?;
        let places = vec![itself(&directory, &path)];
        let outcome = self.terms.in_turn(self.stock.create_directory_at(directory, path)).await;
        self.changed(outcome, places).await
    }

    async fn stat(&mut self, open: Open) -> FsResult<DescriptorStat> {
        self.terms.in_turn(self.stock.stat(open)).await
    }

    async fn stat_at(&mut self, directory: Open, follow: PathFlags, path: String) -> FsResult<DescriptorStat> {
        fit([&path])?;
        let rep = directory.rep();
        let outcome = self.looked_at(directory, follow, path.clone()).await;
        self.granted.looked(outcome, (rep, &path))
    }

    async fn set_times_at(
        &mut self,
        directory: Open,
        follow: PathFlags,
        path: String,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> FsResult<()> {
        fit([&path])?;
        let places = vec![(directory.rep(), follow, path.clone())];
        let outcome = self.terms.in_turn(self.stock.set_times_at(directory, follow, path, accessed, modified)).await;
        self.changed(outcome, places).await
    }

    async fn link_at(
        &mut self,
        directory: Open,
        follow: PathFlags,
        path: String,
        other: Open,
        name: String,
    ) -> FsResult<()> {
        fit([&path, &name])?;
        let places = vec![(directory.rep(), follow, path.clone()), (other.rep(), PathFlags::empty(), name.clone())];
        let outcome = self.terms.in_turn(self.stock.link_at(directory, follow, path, other, name)).await;
        self.changed(outcome, places).await
    }

    async fn open_at(
        &mut self,
        directory: Open,
        follow: PathFlags,
        path: String,
        how: OpenFlags,
        access: DescriptorFlags,
    ) -> FsResult<Open> {
        fit([&path])?;
        self.terms.in_turn(self.stock.open_at(directory, follow, path, how, access)).await
    }

    async fn readlink_at(&mut self, directory: Open, path: String) -> FsResult<String> {
        fit([&path])?;
        let rep = directory.rep();
        let outcome = self.terms.in_turn(self.stock.readlink_at(directory, path.clone())).await;
        self.granted.looked(outcome, (rep, &path))
    }

    async fn remove_directory_at(&mut self, directory: Open, path: String) -> FsResult<()> {
        fit([&path])?;
        let places = vec![itself(&directory, &path)];
        let outcome = self.terms.in_turn(self.stock.remove_directory_at(directory, path)).await;
        self.changed(outcome, places).await
    }

    async fn rename_at(&mut self, directory: Open, path: String, other: Open, name: String) -> FsResult<()> {
        fit([&path, &name])?;
        let places = vec![itself(&directory, &path), itself(&other, &name)];
        let outcome = self.terms.in_turn(self.stock.rename_at(directory, path, other, name)).await;
        self.changed(outcome, places).await
    }

    async fn symlink_at(&mut self, directory: Open, target: String, name: String) -> FsResult<()> {
        fit([&target, &name])?;
        let (rep, places) = (directory.rep(), vec![itself(&directory, &name)]);
        let leads_out = target.starts_with('/');
        let outcome = self.terms.in_turn(self.stock.symlink_at(directory, target, name.clone())).await;
        if leads_out && isnt_permitted(&outcome) && !self.granted.is_for_reading([(rep, name.as_str())]) {
            // Wherever it lies, it leads to the machine's own root.
            self.granted.denied(self.granted.way(rep, &name).as_ref(), &name, true);
            return outcome;
        }
        self.changed(outcome, places).await
    }

    async fn unlink_file_at(&mut self, directory: Open, path: String) -> FsResult<()> {
        fit([&path])?;
        let places = vec![itself(&directory, &path)];
        let outcome = self.terms.in_turn(self.stock.unlink_file_at(directory, path)).await;
        self.changed(outcome, places).await
    }

    async fn is_same_object(&mut self, one: Open, other: Open) -> wasmtime::Result<bool> {
        self.terms.in_turn(self.stock.is_same_object(one, other)).await
    }

    async fn metadata_hash(&mut self, open: Open) -> FsResult<MetadataHashValue> {
        self.terms.in_turn(self.stock.metadata_hash(open)).await
    }

    async fn metadata_hash_at(
        &mut self,
        directory: Open,
        follow: PathFlags,
        path: String,
    ) -> FsResult<MetadataHashValue> {
        fit([&path])?;
        let rep = directory.rep();
        let outcome = self.terms.in_turn(self.stock.metadata_hash_at(directory, follow, path.clone())).await;
        self.granted.looked(outcome, (rep, &path))
    }

    fn drop(&mut self, open: Open) -> wasmtime::Result<()> {
        HostDescriptor::drop(&mut self.stock, open)
    }
}

impl HostDirectoryEntryStream for InTurns<'_> {
    async fn read_directory_entry(
        &mut self,
        stream: Resource<DirectoryEntryStream>,
    ) -> FsResult<Option<DirectoryEntry>> {
        self.stock.read_directory_entry(stream).await
    }

    fn drop(&mut self, stream: Resource<DirectoryEntryStream>) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.stock, stream)
    }
}
