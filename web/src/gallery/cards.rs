//! The gallery's cards as HTML, filed by what they are about.

use std::fmt::Write as _;

use crate::form::escaped;
use crate::shelf::Book;

/// A section for each subject, in the order in which the stories bring them up.
pub(super) fn html(books: &[Book]) -> String {
    let mut subjects: Vec<&str> = Vec::new();
    for book in books {
        if !subjects.contains(&book.subject.as_str()) {
            subjects.push(&book.subject);
        }
    }
    let mut out = String::new();
    for subject in subjects {
        let _ = write!(out, "<section><h3>{}</h3><ul class=story-cards>", escaped(subject));
        books.iter().filter(|book| book.subject == subject).for_each(|book| card(&mut out, book));
        out.push_str("</ul></section>");
    }
    out
}

fn card(out: &mut String, book: &Book) {
    let Book { name, title, about, kinds, questions, subject: _ } = book;
    let (title, about, kinds) = (escaped(title), escaped(about), escaped(kinds));
    let lesson = match questions {
        0 => String::new(),
        1 => format!(
            "<button type=button class=chip data-do='lesson {name}' aria-label='Lesson with a question: {title}'>Lesson: 1 question</button>"
        ),
        _ => format!(
            "<button type=button class=chip data-do='lesson {name}' aria-label='Lesson with {questions} questions: {title}'>Lesson: {questions} questions</button>"
        ),
    };
    let _ = write!(
        out,
        "<li class=story-card data-story='{name}'><canvas aria-hidden=true></canvas>\
         <h4><button type=button class=row-button data-do='open {name}'>{title}</button></h4>\
         <p>{about}</p><p class=hint>{kinds}</p><p class=story-verdict></p>{lesson}</li>"
    );
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_story_has_a_card_under_its_subject() {
        let (html, books, subjects) = crate::shelf::books(|books| {
            let mut subjects: Vec<String> = books.iter().map(|book| book.subject.clone()).collect();
            subjects.sort_unstable();
            subjects.dedup();
            (super::html(books), books.len(), subjects.len())
        });
        assert_eq!(html.matches("<li ").count(), books);
        assert_eq!(html.matches("<section>").count(), subjects);
        assert!(html.contains("data-do='open billing'") && html.contains("data-do='lesson billing'"));
        assert!(
            !html.contains("data-do='lesson redlock'"),
            "a walk that asks nothing is not called a lesson here"
        );
    }
}
