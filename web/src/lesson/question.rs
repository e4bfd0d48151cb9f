//! A question as HTML: options to choose from, and afterwards what was right and why.

use std::fmt::Write as _;

use scenario::document::model::Ask;

use super::seat::Answer;
use crate::form::escaped;

/// The question: open, or answered.
pub(super) fn html(ask: &Ask, answer: Option<Answer>) -> String {
    match answer {
        None => open(ask),
        Some(answer) => answered(ask, answer),
    }
}

fn open(ask: &Ask) -> String {
    let mut out = format!("<fieldset><legend>{}</legend>", escaped(&ask.question));
    for (nth, option) in ask.options.iter().enumerate() {
        let _ = write!(
            out,
            "<label class=lesson-option><input type=radio name=lesson-option value={nth}><span>{}</span></label>",
            escaped(option)
        );
    }
    out.push_str(
        "</fieldset><div class=lesson-buttons>\
         <button type=button class='chip main' data-do=predict>That is what I expect</button>\
         <button type=button class=chip data-do=show>Show me</button></div>",
    );
    out
}

fn answered(ask: &Ask, answer: Answer) -> String {
    let right = ask.options.iter().position(|option| *option == ask.answer);
    let was_right = matches!(answer, Answer::Chosen(nth) if Some(nth) == right);
    let (class, verdict) = match answer {
        Answer::Chosen(_) if was_right => ("good", "As you expected. "),
        Answer::Chosen(_) => ("bad", "Not as you expected. "),
        Answer::Shown => ("plain", ""),
    };
    let mut out = format!(
        "<div class='lesson-outcome {class}' tabindex=-1><p class=lesson-question>{}</p><ul>",
        escaped(&ask.question)
    );
    for (nth, option) in ask.options.iter().enumerate() {
        let chosen = answer == Answer::Chosen(nth);
        let (class, mark) = match (Some(nth) == right, chosen) {
            (true, true) => ("right", " (right, and what you expected)"),
            (true, false) => ("right", " (right)"),
            (false, true) => ("wrong", " (what you expected)"),
            (false, false) => ("other", ""),
        };
        let _ = write!(out, "<li class={class}>{}<span class=hint>{mark}</span></li>", escaped(option));
    }
    let _ = write!(out, "</ul><p><b>{verdict}</b>{}</p></div>", escaped(&ask.because));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask() -> Ask {
        Ask {
            question: "7 < 12?".to_string(),
            options: vec!["yes".to_string(), "no".to_string()],
            answer: "yes".to_string(),
            because: "It is.".to_string(),
            expect: Vec::new(),
        }
    }

    #[test]
    fn an_open_question_gives_nothing_away() {
        let html = html(&ask(), None);
        assert!(html.contains("<legend>7 &lt; 12?</legend>"), "{html}");
        assert!(!html.contains("right") && !html.contains("It is."), "{html}");
        assert_eq!(html.matches("type=radio").count(), 2);
    }

    #[test]
    fn an_answer_says_what_was_right_what_was_expected_and_why() {
        for (answer, says, marks) in [
            (
                Answer::Chosen(0),
                "As you expected.",
                ["yes<span class=hint> (right, and what", "no<span class=hint></span>"],
            ),
            (
                Answer::Chosen(1),
                "Not as you expected.",
                ["yes<span class=hint> (right)", "no<span class=hint> (what you"],
            ),
            (Answer::Shown, "<b></b>It is.", ["yes<span class=hint> (right)", "no<span class=hint></span>"]),
        ] {
            let html = html(&ask(), Some(answer));
            assert!(html.contains(says) && html.contains("It is."), "{html}");
            assert!(marks.iter().all(|mark| html.contains(mark)), "{html}");
        }
    }
}
