//! The attributes that say how a key is spelled and whether it can be left out.

use syn::{Attribute, LitStr, Path, Result};

/// What stands for a key that is left out.
#[derive(Default)]
pub(crate) enum Fallback {
    /// Nothing: it must be there.
    #[default]
    None,
    /// `Default::default`.
    Default,
    /// A function.
    Function(Path),
}

impl Fallback {
    /// This one, or else what holds for the whole struct.
    pub(crate) fn or<'f>(&'f self, whole: &'f Self) -> &'f Self {
        match self {
            Self::None => whole,
            Self::Default | Self::Function(_) => self,
        }
    }
}

/// What the attributes of a type or of a field say.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) rename: Option<String>,
    pub(crate) fallback: Fallback,
}

impl Attributes {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut read = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| {
                let text = || meta.value()?.parse::<LitStr>();
                if meta.path.is_ident("rename") {
                    read.rename = Some(text()?.value());
                } else if meta.path.is_ident("default") {
                    let function = meta.input.peek(syn::Token![=]).then(|| text()?.parse()).transpose()?;
                    read.fallback = function.map_or(Fallback::Default, Fallback::Function);
                } else if meta.path.is_ident("rename_all") {
                    if text()?.value() != "kebab-case" {
                        return Err(meta.error("words of a document are written in kebab-case"));
                    }
                } else if !meta.path.is_ident("deny_unknown_fields") {
                    return Err(meta.error("`Read` does not know this"));
                }
                Ok(())
            })?;
        }
        Ok(read)
    }
}
