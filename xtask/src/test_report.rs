//! Reads what test programs print in the end. A run of no tests succeeds, and proves nothing.

/// How many tests passed, summed over the test programs of a run.
pub(crate) fn passed(text: &str) -> usize {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("test result: ok. "))
        .filter_map(|rest| rest.split_whitespace().next()?.parse::<usize>().ok())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_ran_are_counted() {
        let text = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\n\
                    test result: ok. 0 passed; 0 failed\ntest result: ok. 1 passed; 0 failed\n";
        assert_eq!(passed(text), 3);
        assert_eq!(passed("this test suite is only configured to run in a browser"), 0);
    }
}
