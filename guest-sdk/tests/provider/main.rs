//! One provider that uses all there is, small ones for what it has no use for, and what their authors, an engine and a host rely on.

#[cfg(test)]
mod brought;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod configuration;
#[cfg(test)]
mod exclusive;
#[cfg(test)]
mod existence;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod flawed;
#[cfg(test)]
mod flawed_below;
#[cfg(test)]
mod imported;
#[cfg(test)]
mod lifecycle;
#[cfg(test)]
mod passed_on;
#[cfg(test)]
mod returned;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod specimen;
#[cfg(test)]
mod told;
#[cfg(test)]
mod tuples;
#[cfg(test)]
mod written;
