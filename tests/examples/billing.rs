//! Plays the billing story so many times, for profilers: `cargo run --release -p fencepost-tests --example billing 100`.

fn main() {
    let times: u32 = std::env::args().nth(1).map_or(1, |times| times.parse().expect("how many times"));
    let document = fencepost_tests::case("billing", None).document;
    let scenario = document.scenario().expect("the story is valid");
    let inputs: u64 = (0..times).map(|_| scenario::play(&scenario).inputs_taken).sum();
    println!("{inputs} inputs");
}
