//! ad hoc
fn main() { for f in std::env::args().skip(1) { let b = std::fs::read(&f).unwrap(); let t=std::time::Instant::now(); match bulkhead_schema::Package::parse(&b) { Ok(p) => eprintln!("{f} ok {} {} {} {:?} {}", p.name, p.resources.len(), p.types.len(), t.elapsed(), b.len()), Err(e) => eprintln!("{f} ERR {e}") } } }
