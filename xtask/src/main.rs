//! Set-up and everything that CI does.
fn main() {}
