//! The schemas of what a document writes as text.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::chance::Chance;
use crate::duration::{Dur, SignedDur};

macro_rules! text {
    ($type:ty, $name:literal, $pattern:expr, $description:literal, $examples:expr) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string", "pattern": $pattern, "description": $description, "examples": $examples,
                })
            }
        }
    };
}

const LENGTH: &str = r"(0|(?=.)(\d+(\.\d+)?h)?(\d+(\.\d+)?m)?(\d+(\.\d+)?s)?(\d+(\.\d+)?ms)?(\d+[uµμ]s)?)$";

text!(
    Dur,
    "Duration",
    format!("^{LENGTH}"),
    "A duration, or an instant counted from the beginning of the play, exact to the microsecond. Units: h, m, s, ms, us; longer ones first.",
    ["10s", "1.5s", "250ms", "50us", "1m30s", "1h", "0s"]
);
text!(
    SignedDur,
    "SignedDuration",
    format!("^[+-]?{LENGTH}"),
    "A duration with a direction.",
    ["3s", "+250ms", "-3s"]
);
text!(
    Chance,
    "Chance",
    r"^(\d+/\d+|\d+(\.\d{1,6})?%?)$",
    "A probability between 0 and 1: a fraction, a percentage or 0.",
    ["1/100", "10%", "0.5%", "0"]
);
