//! No lock at all: whoever wants it goes on at once, and nobody keeps a record. What protects then is the store.

use crate::client::{Context, Purpose, Step};
use crate::{GrantId, Key, Msg, Request};

/// A client that asks nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recipe;

impl crate::client::Recipe for Recipe {
    fn begin(&mut self, cx: Context<'_>) -> Step {
        Step::Hold { grant: GrantId(cx.unique_value()), token: None, lease: None }
    }
    fn answered(&mut self, _purpose: Purpose, _msg: &Msg, _cx: Context<'_>) -> Step {
        Step::Nothing
    }
    fn told(&mut self, _cx: Context<'_>) -> Step {
        Step::Nothing
    }
    fn keep_alive(&mut self, _cx: Context<'_>) -> Option<Request> {
        None
    }
    fn give_back(&mut self, _cx: Context<'_>) -> Option<Request> {
        None
    }
    fn put(&self, _key: Key, _value: u64) -> Option<Request> {
        None
    }
    fn forget(&mut self) {}
}
