//! `fencepost schema`: the JSON Schema of documents.

use anyhow::Result;

use crate::Outcome;
use crate::output::print;

pub(crate) fn schema() -> Result<Outcome> {
    print(&format!("{:#}\n", scenario::document::schema()))?;
    Ok(Outcome::Done)
}
