//! Values that have no parts.

use std::str::FromStr;

use super::super::value::{Table, Value};
use super::{Read, Reader};

impl Read for String {
    fn read(from: &Reader<'_>) -> Self {
        match from.value {
            Some(Value::String(text)) => text.clone(),
            _ => from.want("a text"),
        }
    }
}

/// How a truth value is asked for.
pub(super) const YES_OR_NO: &str = "true or false";

impl Read for bool {
    fn read(from: &Reader<'_>) -> Self {
        match from.value {
            Some(Value::Boolean(yes)) => *yes,
            _ => from.want(YES_OR_NO),
        }
    }
}

macro_rules! whole_numbers {
    ($($type:ty: $range:literal,)*) => {$(
        impl Read for $type {
            fn read(from: &Reader<'_>) -> Self {
                match from.value {
                    Some(Value::Integer(number)) => (*number).try_into().unwrap_or_else(|_| from.want($range)),
                    _ => from.want("a whole number"),
                }
            }
        }
    )*};
}

whole_numbers! {
    u32: "a whole number from 0 to 4294967295",
    u64: "a whole number from 0",
    i32: "a whole number from -2147483648 to 2147483647",
}

impl<T: Read> Read for Option<T> {
    fn read(from: &Reader<'_>) -> Self {
        Some(T::read(from))
    }
}

/// A value as it is, which is one that JSON has as well.
impl Read for Value {
    fn read(from: &Reader<'_>) -> Self {
        match from.value {
            Some(Value::Array(_)) => Self::Array(Vec::read(from)),
            Some(Value::Table(_)) => Self::Table(Table::read(from)),
            Some(Value::Datetime(_)) | None => Self::Boolean(from.want("any valid TOML value")),
            Some(value) => value.clone(),
        }
    }
}

/// Reads a text by `FromStr`; a number has a word of its own, because a missing unit is what people forget.
pub(crate) fn text<T: FromStr<Err = String> + Default>(
    from: &Reader<'_>,
    wanted: &str,
    number: fn(i64) -> Result<T, String>,
) -> T {
    let read = match from.value {
        Some(Value::String(text)) => text.parse(),
        Some(Value::Integer(whole)) => number(*whole),
        _ => return from.want(wanted),
    };
    read.unwrap_or_else(|why| {
        from.spoil(why, None);
        T::default()
    })
}

/// A value in words.
pub(super) fn words(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 60 => "a long text".to_owned(),
        Value::String(text) => format!("the text {text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::Datetime(_) => "a date".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a table".to_owned(),
    }
}
