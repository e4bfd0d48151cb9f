//! What a check found, as JUnit XML: a suite a document, a case for it and for each of its variants.

use anyhow::Result;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::check::{Checked, Says};

pub(crate) fn xml(all: &[Checked]) -> Result<String> {
    let mut report = Report::new("fencepost check");
    for suite in all.chunk_by(|one, next| one.document == next.document) {
        report.add_test_suite(self::suite(suite));
    }
    Ok(report.to_string()?)
}

fn suite(cases: &[Checked]) -> TestSuite {
    let name = cases.first().map_or("", |checked| checked.document.as_str());
    let mut suite = TestSuite::new(name);
    for checked in cases {
        let mut case = TestCase::new(checked.variant.as_deref().unwrap_or("as written"), status(checked));
        case.set_classname(name);
        case.set_assertions(checked.outcomes.len());
        suite.add_test_case(case);
    }
    suite
}

fn status(checked: &Checked) -> TestCaseStatus {
    match checked.says() {
        Says::Holds => TestCaseStatus::success(),
        Says::ExpectsNothing => {
            let mut status = TestCaseStatus::skipped();
            status.set_message("it expects nothing, so that nothing was checked");
            status
        }
        Says::Fails => {
            let failures: Vec<String> = checked
                .failures()
                .map(|failure| format!("expected {}, got {}", failure.what, failure.got))
                .collect();
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(failures.first().map_or("", String::as_str));
            status.set_description(failures.join("\n"));
            status
        }
    }
}
