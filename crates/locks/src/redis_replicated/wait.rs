//! `WAIT`: a grant is answered when enough replicas have it, or when the time for that is up.

use kernel::Mono;

use super::RedisReplicated;
use crate::claim::Reply;
use crate::kinds;
use crate::service::{Asker, Outcome};

/// A claim that is granted and not yet answered, because replicas are waited for.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    asker: Asker,
    reply: Reply,
    offset: u64,
    pub(super) until: Mono,
}

impl RedisReplicated {
    /// Of what was answered in this step, behind the first `before` answers, grants wait for replicas.
    pub(super) fn hold_back_grants(&mut self, before: usize, now: Mono, out: &mut Outcome) {
        for (asker, reply) in out.replies.split_off(before) {
            match reply {
                kinds::Reply::Claim(reply) if matches!(*reply, Reply::Granted { .. }) => {
                    let until = now + self.config.wait_for;
                    self.waiting.push(Waiting { asker, reply: *reply, offset: self.offset, until });
                }
                kinds::Reply::Claim(_)
                | kinds::Reply::Advisory(_)
                | kinds::Reply::Record(_)
                | kinds::Reply::Handover(_)
                | kinds::Reply::Consul(_)
                | kinds::Reply::Hazelcast(_)
                | kinds::Reply::Chubby(_)
                | kinds::Reply::ZooKeeper(_)
                | kinds::Reply::Felix(_)
                | kinds::Reply::NoLeader => out.replies.push((asker, reply)),
            }
        }
    }

    /// Answers the claims that enough replicas have, and those for which the time is up.
    pub(super) fn settle_waiting(&mut self, now: Mono, out: &mut Outcome) {
        let (others, wait) = (&self.others, self.config.wait);
        self.waiting.retain(|waiting| {
            let have = others.iter().filter(|other| other.offset >= waiting.offset).count();
            if have >= wait {
                out.reply(waiting.asker, waiting.reply);
            } else if now >= waiting.until {
                out.reply(waiting.asker, Reply::TooFewHave);
            } else {
                return true;
            }
            false
        });
    }
}
