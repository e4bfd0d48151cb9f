//! How lengths and readings of time read, and how machines are built of parts.

use kernel::*;

#[test]
fn times_read_as_people_say_them() {
    assert_eq!(SimTime::from_micros(4_250_000).to_string(), "4.25 s");
    assert_eq!(SimTime::ZERO.to_string(), "0 s");
    assert_eq!(Mono::from_micros(16_000_001).to_string(), "16.000001 s");
    assert_eq!(Wall::from_micros(-1_500_000).to_string(), "−1.5 s");
    assert_eq!(Wall::from_micros(10_000_000).to_string(), "10 s");
    for (micros, text) in [
        (0, "0 s"),
        (7, "7 µs"),
        (1_000, "1 ms"),
        (250_000, "250 ms"),
        (1_500, "1.5 ms"),
        (16_000_000, "16 s"),
    ] {
        assert_eq!(Span::from_micros(micros).to_string(), text);
    }
}

#[test]
fn arithmetic_of_time_stays_within_bounds() {
    assert_eq!(SimTime::from_secs(3) - SimTime::from_secs(5), Span::ZERO);
    assert_eq!(SimTime::ZERO + Span::FOREVER, SimTime::NEVER);
    assert_eq!(Mono::from_micros(5).since(Mono::from_micros(7)), Span::ZERO);
    assert_eq!(Wall::from_micros(i64::MIN).since(Wall::from_micros(i64::MAX)), Span::ZERO);
    assert_eq!(Wall::from_micros(i64::MAX).moved(1), Wall::from_micros(i64::MAX));
    assert_eq!(Wall::from_micros(5).moved(-7), Wall::from_micros(-2));
    assert_eq!(Span::from_secs(3).less(Span::from_secs(5)), Span::ZERO);
    assert_eq!(Span::FOREVER.times(2), Span::FOREVER);
    assert_eq!(Span::from_micros(1_001).rounded_up_to(Span::from_millis(1)), Span::from_millis(2));
    assert_eq!(Span::from_millis(2).rounded_up_to(Span::from_millis(1)), Span::from_millis(2));
    assert_eq!(Span::from_millis(2).rounded_up_to(Span::ZERO), Span::from_millis(2));
}

/// A part with words of its own, and a whole that can say them.
#[derive(Clone, Debug)]
struct Part;
impl Dialect for Part {
    type Msg = u8;
    type Timer = u8;
    type Write = u8;
    type Disk = Bytes;
    type Note = u8;
    type Role = ();
}
#[derive(Clone, Debug, Default)]
struct Bytes;
impl<Write> Keep<Write> for Bytes {
    fn keep(&mut self, _write: &Write) {}
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Lifted(u8);
impl From<u8> for Lifted {
    fn from(part: u8) -> Self {
        Self(part)
    }
}
#[derive(Clone, Debug)]
struct Whole;
impl Dialect for Whole {
    type Msg = Lifted;
    type Timer = Lifted;
    type Write = Lifted;
    type Disk = Bytes;
    type Note = Lifted;
    type Role = ();
}

#[test]
fn a_part_s_effects_become_the_whole_s() {
    fn act(out: &mut impl Outbox<Part>) {
        out.send(ProcessId(3), 1);
        out.arm(2, Mono::from_micros(9));
        out.disarm(3);
        out.persist(4);
        out.note(5);
    }
    let mut whole: Effects<Whole> = Effects::default();
    act(&mut Lift::<Whole, _>::new(&mut whole));
    let text = format!("{:?}", whole.0);
    assert_eq!(
        text,
        "[Send { to: ProcessId(3), msg: Lifted(1) }, Arm { timer: Lifted(2), due: Mono(9) }, Disarm(Lifted(3)), \
         Persist(Lifted(4)), Note(Lifted(5))]"
    );
}

#[test]
fn what_cannot_be_is_refused() {
    fn panics<T>(make: fn() -> T) -> bool {
        std::panic::catch_unwind(make).is_err()
    }
    assert!(panics(|| Ratio::new(2, 1)));
    assert!(panics(|| Ratio::new(0, 0)));
    assert!(panics(|| Rate::from_millionths(0)));
    assert!(panics(|| Rate::from_ppm(-1_000_000)));
    assert!(panics(|| Rate::from_ppm(i32::MIN)));
    assert_eq!(Rate::from_ppm(-500).millionths(), 999_500);
}
