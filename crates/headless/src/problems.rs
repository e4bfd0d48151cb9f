//! What is wrong, as JSON.

use scenario::{Problem, Problems};
use serde_json::{Value, json};

/// Problems, each with the variant that it is in.
#[derive(Debug, Default)]
pub(crate) struct Wrong(pub(crate) Vec<(Option<String>, Problem)>);

impl From<Problems> for Wrong {
    fn from(problems: Problems) -> Self {
        Self(problems.0.into_iter().map(|problem| (None, problem)).collect())
    }
}

impl From<Problem> for Wrong {
    fn from(problem: Problem) -> Self {
        Self(vec![(None, problem)])
    }
}

/// A list with an object for each problem.
pub(crate) fn json(wrong: &Wrong) -> Value {
    let object = |(variant, problem): &(Option<String>, Problem)| {
        let Problem { path, line, message, hint } = problem;
        let path = Some(path).filter(|path| !path.is_empty());
        json!({ "variant": variant, "path": path, "line": line, "message": message, "hint": hint })
    };
    wrong.0.iter().map(object).collect()
}
