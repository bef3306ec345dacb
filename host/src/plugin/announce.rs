//! The only line on stdout.

use std::io::{self, Write};

/// Tells the engine the port. Anything else on stdout would be taken for it.
///
/// # Errors
/// A closed stdout: nobody waits for the port.
pub(super) fn port(port: u16) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{port}")?;
    stdout.flush()
}
