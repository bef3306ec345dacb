//! A provider of component resources and methods, and what their author, a program and an engine rely on.

#[cfg(test)]
mod construct;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod method;
mod names;
#[cfg(test)]
mod options;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod specimen;
