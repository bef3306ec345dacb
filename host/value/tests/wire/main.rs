//! The wire codec against the definition of `google.protobuf.Struct`, against a decoder by others, and against bytes that
//! a peer could send.

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod decode;
#[cfg(test)]
mod encode;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod structs;
