//! Where functions begin and end in a source, so that a broken body can stand beside the sound one.

use std::ops::Range;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The bodies (with their braces) of the outermost functions of `source` of which a second one may stand beside the first, as
/// bytes, in their order. Left out are constant functions, which cannot choose as they run, those whose result is an
/// `impl Trait`, since two bodies make two types, and what macros write.
pub(super) fn bodies(source: &str) -> Result<Vec<Range<usize>>> {
    let tokens: TokenStream = source.parse().map_err(|error| anyhow!("{error}"))?;
    let mut found = Vec::new();
    collect(tokens, &mut found);
    Ok(found)
}

fn collect(tokens: TokenStream, found: &mut Vec<Range<usize>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if is_word(&tokens[at], "fn") && matches!(tokens.get(at + 1), Some(TokenTree::Ident(_))) {
            let signature = &tokens[at..];
            let end = signature.iter().position(ends_signature).unwrap_or(signature.len());
            let constant = at > 0 && is_word(&tokens[at - 1], "const");
            let opaque = signature[..end].iter().any(|token| is_word(token, "impl"));
            if let Some(TokenTree::Group(body)) = signature.get(end)
                && !constant
                && !opaque
            {
                found.push(body.span().byte_range());
            }
            at += end;
        } else if let TokenTree::Group(group) = &tokens[at]
            && !is_given_to_a_macro(&tokens[..at])
        {
            collect(group.stream(), found);
        }
        at += 1;
    }
}

fn ends_signature(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    }
}

/// `name! { }` and `macro_rules! name { }`.
fn is_given_to_a_macro(before: &[TokenTree]) -> bool {
    let is_mark =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
    match before.last() {
        Some(TokenTree::Ident(_)) => is_mark(before.len().checked_sub(2).and_then(|i| before.get(i))),
        last => is_mark(last),
    }
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        bodies(source).unwrap().into_iter().map(|range| &source[range]).collect()
    }

    #[test]
    fn outermost_bodies_are_found_wherever_functions_stand() {
        let source = "mod m { impl<'a> S<'a> { /* } */ fn a(&'a self) -> char { '}' } } }\n\
                      trait T { fn sig(&self); fn b() { fn inner() {} \"{\" } }";
        assert_eq!(texts(source), ["{ '}' }", "{ fn inner() {} \"{\" }"]);
    }

    #[test]
    fn what_cannot_have_two_bodies_is_left_out() {
        let source = "const fn a() { 1 } fn b() -> impl Fn() { || () } macro_rules! m { () => { fn c() {} } }\n\
                      call! { fn d() {} } fn e(f: fn(u8) -> u8) {}";
        assert_eq!(texts(source), ["{}"]);
    }

    #[test]
    fn bytes_are_counted_and_not_letters() {
        assert_eq!(texts("// übung – ⟂\nfn a() { \"ä\" }"), ["{ \"ä\" }"]);
    }
}
