//! How long plays take.

fn main() {}
