//! One provider that uses all there is, and what its author, an engine and a host rely on.

#[cfg(test)]
mod exports;
#[cfg(test)]
mod flawed;
#[cfg(test)]
mod lifecycle;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod specimen;
