//! From the path in a request to a file inside the served directory, and never outside it.

use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    File { bytes: Vec<u8>, mime: &'static str },
    Missing,
}

/// The file that `url` (path and perhaps query, as in the request line) names.
pub(super) fn look_up(root: &Path, url: &str) -> Answer {
    let Some(path) = resolve(root, url) else {
        return Answer::Missing;
    };
    match fs::read(&path) {
        Ok(bytes) => Answer::File { bytes, mime: mime(&path) },
        Err(_) => Answer::Missing,
    }
}

fn resolve(root: &Path, url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?;
    let path = decode(path.strip_prefix('/')?)?;
    let mut file = root.to_owned();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        // Names with a dot in front are Trunk's scratch; `..` is one of them.
        if part.starts_with('.') || part.contains(['\\', '\0', ':']) {
            return None;
        }
        file.push(part);
    }
    if file.is_dir() {
        file.push("index.html");
    }
    // A link that leads outside is not followed.
    let real = file.canonicalize().ok()?;
    real.starts_with(root.canonicalize().ok()?).then_some(real)
}

/// Undoes `%20` and the like; `None` for what is not text then.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// Browsers insist on some of these: a wasm module of another type is not compiled while it streams.
fn mime(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" | "toml" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory to serve, with a secret beside it.
    fn site() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("dist");
        fs::create_dir_all(root.join("embed")).unwrap();
        fs::write(dir.path().join("secret.txt"), "secret").unwrap();
        fs::write(root.join("index.html"), "page").unwrap();
        fs::write(root.join("embed/index.html"), "embed").unwrap();
        fs::write(root.join("a b.wasm"), "wasm").unwrap();
        fs::write(root.join(".stage"), "scratch").unwrap();
        (dir, root)
    }

    fn get(root: &Path, url: &str) -> Option<(String, &'static str)> {
        match look_up(root, url) {
            Answer::File { bytes, mime } => Some((String::from_utf8(bytes).unwrap(), mime)),
            Answer::Missing => None,
        }
    }

    #[test]
    fn files_and_directories_are_found() {
        let (_dir, root) = site();
        assert_eq!(get(&root, "/"), Some(("page".into(), "text/html; charset=utf-8")));
        assert_eq!(get(&root, "/index.html?x=/../y#z"), get(&root, "/"));
        assert_eq!(get(&root, "/embed/").unwrap().0, "embed");
        assert_eq!(get(&root, "/a%20b.wasm"), Some(("wasm".into(), "application/wasm")));
        assert_eq!(get(&root, "/no-such-file"), None);
    }

    #[test]
    fn nothing_outside_is_served() {
        let (_dir, root) = site();
        for url in [
            "/../secret.txt",
            "/embed/../../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/%2e%2e%2fsecret.txt",
            "/..\\secret.txt",
            "//../secret.txt",
            "/.stage",
            "/%00",
            "/%zz",
            "/%",
            "secret.txt",
            "http://elsewhere/secret.txt",
        ] {
            assert_eq!(get(&root, url), None, "{url}");
        }
    }

    #[test]
    fn a_link_that_leads_outside_is_not_followed() {
        let (dir, root) = site();
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), root.join("link.txt")).unwrap();
        assert_eq!(get(&root, "/link.txt"), None);
    }
}
