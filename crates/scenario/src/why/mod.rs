//! Why the verdict is what it is: for each of its lines the records that led to it, and what it would be without a fault
//! or with another protection.

mod chain;
mod otherwise;

pub use chain::{Link, Why, why};
pub use otherwise::{Difference, Otherwise, otherwise};
