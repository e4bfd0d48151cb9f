//! Adding to a document what is right from the start, and leaving out a member with all that was said of it.

use super::Document;
use super::anchor;
use super::duration::Dur;
use super::problem::Problem;
use super::value::{Table, Value};

impl Document {
    /// Adds a fault of this kind that strikes `on`, a process, at this instant and for this long, with usual figures.
    /// Returns its id.
    pub fn add_fault(&mut self, kind: &str, on: &str, at: Dur, span: Dur) -> Result<String, Problem> {
        let host = self.host_of(on);
        let mut fault = Table::default();
        let id = self.free_id(&format!("{}-{kind}", on.to_lowercase()));
        let text = |text: &str| Value::String(text.to_owned());
        fault.insert("id", text(&id));
        fault.insert("kind", text(kind));
        let more: &[(&str, Value)] = match kind {
            "suspend" | "power-off" => &[("on", text(&host))],
            "wall-step" => &[("on", text(&host)), ("by", text("3s"))],
            "clock-rate" => &[("on", text(&host)), ("ppm", Value::Integer(100_000))],
            "cut" => &[("from", text(on)), ("to", text("others"))],
            "loss" | "duplicate" => &[("from", text(on)), ("to", text("others")), ("chance", text("1/2"))],
            "delay" => &[("from", text(on)), ("to", text("others")), ("extra", text("500ms"))],
            "restore" => &[("on", text(on)), ("taken", text("0s"))],
            _ => &[("on", text(on))],
        };
        for (key, value) in more {
            fault.insert(key, value.clone());
        }
        fault.insert("at", text(&at.to_string()));
        if !matches!(kind, "wall-step" | "promote") {
            fault.insert("for", text(&span.to_string()));
        }
        self.add("fault", Value::Table(fault))?;
        Ok(id)
    }

    /// Adds the same fault once more, so much later where it strikes at an instant. Returns the new one's id.
    pub fn duplicate_fault(&mut self, id: &str, later: Dur) -> Result<String, Problem> {
        let path = format!("fault.{id}");
        let Some(Value::Table(fault)) = self.at(&path) else {
            return Err(Problem::of_path(&path, "there is no such fault", None));
        };
        let mut fault = fault.clone();
        let new = self.free_id(id);
        fault.insert("id", Value::String(new.clone()));
        if let Some(Ok(at)) = fault.get("at").and_then(Value::as_str).map(str::parse::<Dur>) {
            fault.insert("at", Value::String(Dur(at.0 + later.0).to_string()));
        }
        self.add("fault", Value::Table(fault))?;
        Ok(new)
    }

    /// Leaves a fault out, with the steps of the lesson that speak of it.
    pub fn remove_fault(&mut self, id: &str) -> Result<(), Problem> {
        self.remove(&format!("fault.{id}"))?;
        self.forget(id, &["step"]);
        Ok(())
    }

    /// Adds a worker that does what the last one does. Returns its name.
    pub fn add_worker(&mut self) -> Result<String, Problem> {
        let last = self.at("worker").and_then(Value::as_array).and_then(<[Value]>::last);
        let model = last.and_then(|last| last.get("like").or_else(|| last.get("name"))?.as_str());
        let Some(model) = model.map(str::to_owned) else {
            return Err(Problem::of_path("worker", "there is nobody whose work it could do", None));
        };
        let letters = ('A'..='Z').map(String::from);
        let numbered = (1_u32..).map(|n| format!("W{n}"));
        let name = letters.chain(numbered).find(|name| !self.is_taken(name)).unwrap_or_default();
        let mut worker = Table::default();
        worker.insert("name", Value::String(name.clone()));
        worker.insert("like", Value::String(model));
        self.add("worker", Value::Table(worker))?;
        Ok(name)
    }

    /// Adds a store of this kind. Returns its name.
    pub fn add_store(&mut self, kind: &str) -> Result<String, Problem> {
        let names = (1_u32..).map(|n| if n == 1 { kind.to_owned() } else { format!("{kind}-{n}") });
        let mut names = names.filter(|name| !self.is_taken(name));
        let name = names.next().unwrap_or_default();
        let mut store = Table::default();
        store.insert("name", Value::String(name.clone()));
        store.insert("kind", Value::String(kind.to_owned()));
        self.add("store", Value::Table(store))?;
        Ok(name)
    }

    /// Adds a server to these of the lock service. Returns its name.
    pub fn add_node(&mut self, nodes: &[String]) -> Result<String, Problem> {
        let stem = nodes.last().map_or("n", |last| last.trim_end_matches(|c: char| c.is_ascii_digit()));
        let mut names = (1_u32..)
            .map(|n| format!("{stem}{n}"))
            .filter(|name| !nodes.contains(name) && !self.is_taken(name));
        let name = names.next().unwrap_or_default();
        let all = nodes.iter().chain([&name]).cloned().map(Value::String);
        self.set_value("lock.nodes", Value::Array(all.collect()))?;
        Ok(name)
    }

    /// Leaves the last of these servers of the lock service out, with all that names it.
    pub fn remove_node(&mut self, nodes: &[String]) -> Result<(), Problem> {
        let Some((last, rest)) = nodes.split_last() else {
            return Err(Problem::of_path("lock.nodes", "there is none to leave out", None));
        };
        self.set_value("lock.nodes", Value::Array(rest.iter().cloned().map(Value::String).collect()))?;
        self.forget_member(last, last);
        Ok(())
    }

    /// Leaves an item of `worker`, `store` or `sweeper` out, with all that names it.
    pub fn remove_member(&mut self, list: &str, name: &str) -> Result<(), Problem> {
        let (host, sidecar) = (self.host_of(name), self.get(&format!("{list}.{name}.sidecar")));
        self.remove(&format!("{list}.{name}"))?;
        for gone in [name].into_iter().chain(sidecar.as_deref()) {
            self.forget_member(gone, &host);
        }
        Ok(())
    }

    /// Nobody is called so any more: what strikes it, is expected of it or is told of it goes, and what is said of its host,
    /// unless somebody else runs on that.
    fn forget_member(&mut self, name: &str, host: &str) {
        let gone = if self.runs_on(host) { vec![name] } else { vec![name, host] };
        for id in self.go_on_without(&gone) {
            self.forget(&id, &["step"]);
        }
        self.forget(name, &["expect", "step"]);
    }

    /// Leaves out the items of these lists that name it.
    fn forget(&mut self, name: &str, lists: &[&str]) {
        let Value::Table(root) = &mut self.root else { return };
        for list in lists {
            if let Some(Value::Array(items)) = root.get_mut(list) {
                items.retain(|item| !names(item, name));
            }
        }
        self.shifted = true;
    }

    /// What strikes those who are gone goes, and what is said of their links and of their hosts, unless somebody else runs on
    /// them. Of several, those that are left stay. Answers with the faults that went.
    pub(super) fn go_on_without(&mut self, gone: &[&str]) -> Vec<String> {
        let mut ended = Vec::new();
        if let Some(Value::Array(faults)) = self.root.get_mut("fault") {
            faults.retain_mut(|fault| {
                let stays = strikes_without(fault, gone);
                ended.extend(fault.get("id").and_then(Value::as_str).filter(|_| !stays).map(str::to_owned));
                stays
            });
        }
        let empty: Vec<&str> = gone.iter().copied().filter(|host| !self.runs_on(host)).collect();
        if let Some(Value::Array(hosts)) = self.root.get_mut("host") {
            let is_empty = |host: &Value| {
                host.get("name").and_then(Value::as_str).is_some_and(|name| empty.contains(&name))
            };
            hosts.retain(|host| !is_empty(host));
        }
        if let Some(Value::Array(links)) =
            self.root.get_mut("network").and_then(|network| network.get_mut("link"))
        {
            links.retain_mut(|link| strikes_without(link, gone));
        }
        ended
    }

    /// Whether anybody runs on a host.
    fn runs_on(&self, host: &str) -> bool {
        let members = ["worker", "store", "sweeper"].into_iter().filter_map(|list| self.at(list)?.as_array());
        let on = |member: &Value| {
            member.get("host").or_else(|| member.get("name")).and_then(Value::as_str) == Some(host)
        };
        members.flatten().any(on) || self.at("lock.nodes").is_some_and(|nodes| names(nodes, host))
    }

    /// The host that a process runs on.
    fn host_of(&self, process: &str) -> String {
        let hosts = ["worker", "store", "sweeper"].into_iter();
        let mut own = hosts.filter_map(|list| self.get(&format!("{list}.{process}.host")));
        own.next().unwrap_or_else(|| process.to_owned())
    }

    fn free_id(&self, wanted: &str) -> String {
        let is_free = |id: &String| self.at(&format!("fault.{id}")).is_none();
        let mut ids = (2_u32..).map(|n| format!("{wanted}-{n}"));
        let first = Some(wanted.to_owned()).filter(is_free);
        first.or_else(|| ids.find(is_free)).unwrap_or_default()
    }

    /// Whether a member or a server is called so.
    fn is_taken(&self, name: &str) -> bool {
        ["worker", "store", "sweeper", "host"]
            .into_iter()
            .any(|list| self.at(&format!("{list}.{name}")).is_some())
            || self.at("worker").is_some_and(|workers| is_sidecar(workers, name))
            || self.at("lock.nodes").is_some_and(|nodes| names(nodes, name))
    }
}

/// Whether one of these workers has a sidecar of this name.
fn is_sidecar(workers: &Value, name: &str) -> bool {
    let mut workers = workers.as_array().into_iter().flatten();
    workers.any(|worker| worker.get("sidecar").and_then(Value::as_str) == Some(name))
}

/// Leaves those that are gone out of whom a fault strikes. False when nobody is left, or when it speaks of one of them
/// elsewhere.
fn strikes_without(fault: &mut Value, gone: &[&str]) -> bool {
    for end in ["on", "from", "to"] {
        if let Some(Value::Array(struck)) = fault.get_mut(end) {
            struck.retain(|name| !name.as_str().is_some_and(|name| gone.contains(&name)));
            if struck.is_empty() {
                return false;
            }
        }
    }
    !gone.iter().any(|name| names(fault, name))
}

/// Whether a text somewhere in a value is this name, or says what it does.
fn names(value: &Value, name: &str) -> bool {
    match value {
        Value::String(text) => text == name || anchor::parse(text).is_ok_and(|does| does.who == name),
        Value::Array(items) => items.iter().any(|item| names(item, name)),
        Value::Table(table) => table.iter().any(|(_, value)| names(value, name)),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => false,
    }
}
