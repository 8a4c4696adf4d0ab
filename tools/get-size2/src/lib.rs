//! Stands in for the crate of that name, whose macro and what that is made of take longer to compile than the Python parser,
//! for every kind of build again. The parser only says that its types have a size on the heap, and nothing here asks for one.

pub use get_size_derive2::GetSize;

/// A type that has a size on the heap.
pub trait GetSize {}
