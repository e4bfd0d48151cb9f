//! Plays the billing story so many times, with its own lock service or another kind, for profilers:
//! `cargo run --release -p fencepost-tests --example billing 100 consul`.

fn main() {
    let mut arguments = std::env::args().skip(1);
    let times: u32 = arguments.next().map_or(1, |times| times.parse().expect("how many times"));
    let mut document = fencepost_tests::case("billing", None).document;
    if let Some(kind) = arguments.next() {
        document.set("lock.kind", &kind).expect("a kind of lock service");
    }
    let scenario = document.scenario().expect("the story is valid");
    let inputs: u64 = (0..times).map(|_| scenario::play(&scenario).inputs_taken).sum();
    println!("{inputs} inputs");
}
