//! The built-in stories before any is played: what the picker and the gallery say of each.

use scenario::Document;

/// A story on the shelf.
pub(crate) struct Book {
    pub(crate) name: &'static str,
    pub(crate) title: String,
    /// What it is about, in a sentence.
    pub(crate) about: String,
    /// What stories it is filed with.
    pub(crate) subject: String,
    /// Its lock service and its stores, by their kinds.
    pub(crate) kinds: String,
    /// How many questions its lesson asks.
    pub(crate) questions: usize,
}

thread_local! {
    static SHELF: Vec<Book> = scenario::stories().iter().map(book).collect();
}

/// Reads all of them, in the order in which they are offered. Their documents are read once.
pub(crate) fn books<T>(read: impl FnOnce(&[Book]) -> T) -> T {
    SHELF.with(|books| read(books))
}

/// A story that cannot be read is there by its name alone; the stories' own tests rule that out.
fn book(story: &scenario::BuiltIn) -> Book {
    let document = Document::parse(story.text).ok();
    let text = |key: &str| document.as_ref().and_then(|document| document.get(key));
    let items = |key: &str| {
        let list = document.as_ref().and_then(|document| document.at(key)?.as_array());
        list.unwrap_or_default().iter()
    };
    let about = text("about").unwrap_or_default();
    let mut kinds = text("lock.kind").unwrap_or_default();
    for kind in items("store").filter_map(|store| store.get("kind")?.as_str()) {
        kinds.push_str(" · ");
        kinds.push_str(kind);
    }
    Book {
        name: story.name,
        title: text("title").unwrap_or_else(|| story.name.to_string()),
        about: first_sentence(&about).to_string(),
        subject: text("subject").unwrap_or_else(|| "Others".to_string()),
        kinds: kinds.replace('-', " "),
        questions: items("step").filter(|step| step.get("ask").is_some()).count(),
    }
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_with_its_full_stop_and_not_within_a_figure() {
        for (text, first) in [
            ("One. Two.", "One."),
            ("At 19.05 s it ends. Then not.", "At 19.05 s it ends."),
            ("Only one.", "Only one."),
            ("", ""),
        ] {
            assert_eq!(first_sentence(text), first);
        }
    }

    #[test]
    fn every_story_says_what_it_is_and_where_it_is_filed() {
        books(|books| {
            assert_eq!(books.len(), scenario::stories().len());
            for book in books {
                assert!(
                    book.about.ends_with('.') && book.about.len() > 20,
                    "{}: {:?}",
                    book.name,
                    book.about
                );
                assert_ne!(book.subject, "Others", "{}", book.name);
                assert!(!book.kinds.is_empty() && book.title != book.name, "{}", book.name);
            }
            let billing = books.iter().find(|book| book.name == "billing").unwrap();
            assert_eq!(billing.kinds, "etcd · fenced row");
            assert_eq!(billing.questions, 4);
        });
    }
}
