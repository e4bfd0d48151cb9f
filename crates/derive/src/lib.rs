//! `#[derive(Read)]`, for the types of the scenario document's model.
//!
//! A field becomes one call and nothing else: errors are told to the reader, not handed up. (Serde's derive, which
//! brings each of a struct's fields past each of its errors, is seven times the code, and the page carries it.) The
//! attributes are those of serde that the model needs, spelled `#[serde(..)]`, because the schema's derive reads them too:
//! `default` and `default = "function"` on fields, `default` on structs, `rename` on fields, `rename_all = "kebab-case"` on
//! enums. `deny_unknown_fields` goes without saying.

mod attributes;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, FieldsNamed, Result, parse_macro_input};

use crate::attributes::{Attributes, Fallback};

/// How a type is read: see the crate.
#[proc_macro_derive(Read, attributes(serde))]
pub fn read(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<Tokens> {
    let name = &input.ident;
    let attributes = Attributes::of(&input.attrs)?;
    let body = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => of_struct(fields, attributes.fallback)?,
            Fields::Unnamed(_) | Fields::Unit => return Err(Error::new(name.span(), "fields need names")),
        },
        Data::Enum(data) => of_enum(&name.to_string(), data)?,
        Data::Union(_) => return Err(Error::new(name.span(), "no union is in a document")),
    };
    Ok(quote! {
        impl crate::read::Read for #name {
            fn read(from: &crate::read::Reader<'_>) -> Self { #body }
        }
    })
}

fn of_struct(fields: &FieldsNamed, fallback: Fallback) -> Result<Tokens> {
    let mut keys = Vec::new();
    let mut reads = Vec::new();
    for field in &fields.named {
        let name = field.ident.as_ref();
        let attributes = Attributes::of(&field.attrs)?;
        let key = attributes.rename.or_else(|| name.map(ToString::to_string)).unwrap_or_default();
        reads.push(match attributes.fallback.or(&fallback) {
            Fallback::None => quote! { #name: fields.required(#key) },
            Fallback::Default => quote! { #name: fields.optional(#key, Default::default) },
            Fallback::Function(function) => quote! { #name: fields.optional(#key, #function) },
        });
        keys.push(key);
    }
    Ok(quote! {
        let mut fields = from.fields(&[#(#keys),*]);
        Self { #(#reads),* }
    })
}

fn of_enum(name: &str, data: &DataEnum) -> Result<Tokens> {
    let mut words = Vec::new();
    let mut arms = Vec::new();
    for (nth, variant) in data.variants.iter().enumerate() {
        let name = &variant.ident;
        words.push(kebab(&name.to_string()));
        let read = match &variant.fields {
            Fields::Unit => quote! { { choice.bare(); Self::#name } },
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => quote! { Self::#name(choice.content()) },
            Fields::Unnamed(_) | Fields::Named(_) => {
                return Err(Error::new(name.span(), "a variant holds one value or none"));
            }
        };
        // The last one stands for whatever is left, of which there is nothing.
        arms.push(if nth + 1 < data.variants.len() {
            quote! { #nth => #read }
        } else {
            quote! { _ => #read }
        });
    }
    Ok(quote! {
        let choice = from.choose(#name, &[#(#words),*]);
        match choice.nth { #(#arms),* }
    })
}

/// `WallStep` as `wall-step`.
fn kebab(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

#[cfg(test)]
mod tests {
    use super::kebab;

    #[test]
    fn names_become_words() {
        assert_eq!(kebab("WallStep"), "wall-step");
        assert_eq!(kebab("Pause"), "pause");
    }
}
