//! Services that one server keeps by itself.

use std::rc::Rc;

use kernel::{Keepalive, ProcessId, Span};
use locks::dynamodb_item::DynamodbItem;
use locks::lab::Lab;
use locks::postgres_advisory::{Config, Pool, Postgres, Scope};
use locks::postgres_row::{PostgresRow, Release};
use locks::redis::Redis;
use locks::redis_replicated::{self, RedisReplicated};
use locks::service::{Durability, ServerConfig};
use locks::{AnyService, Token, dynamodb_lock_client, handover, kubernetes};

use super::server;
use crate::actors::Actor;
use document::model::{self, AdvisoryScope, Persistence, Pooler, RedisToken, RowRelease};

fn keeper(service: AnyService, durability: Durability) -> Actor {
    server(locks::ServerConfig::Single(Rc::new(ServerConfig { service, durability })))
}

fn durability(persistence: Persistence) -> Durability {
    match persistence {
        Persistence::None => Durability::Never,
        Persistence::Everysec => Durability::Every(Span::from_secs(1)),
        Persistence::Always => Durability::BeforeAnswer,
    }
}

pub(super) fn redis(redis: &model::Redis) -> Actor {
    let counts = redis.token == RedisToken::Counter;
    let service = Redis::new(counts, Token(redis.counted));
    keeper(AnyService::Redis(service), durability(redis.persistence))
}

pub(super) fn redis_replicated(
    redis: &model::RedisReplicated,
    servers: &Rc<[ProcessId]>,
    me: ProcessId,
) -> Actor {
    let config = redis_replicated::Config {
        me,
        servers: servers.clone(),
        lag: redis.lag.0,
        down_after: redis.down_after.0,
        min_replicas: redis.min_replicas as usize,
        max_lag: redis.max_lag.0,
        wait: redis.wait as usize,
        wait_for: redis.wait_for.0,
        demoted_after: redis.demoted_after.0,
    };
    let keys = Redis::new(redis.token == RedisToken::Counter, Token(redis.counted));
    let service = RedisReplicated::new(Rc::new(config), keys);
    keeper(AnyService::RedisReplicated(service), durability(redis.persistence))
}

pub(super) fn redlock(redlock: &model::Redlock) -> Actor {
    keeper(AnyService::Redis(Redis::new(false, Token(0))), durability(redlock.persistence))
}

pub(super) fn postgres_advisory(locks: &model::PostgresAdvisory) -> Actor {
    let config = Config {
        scope: match locks.scope {
            AdvisoryScope::Session => Scope::Session,
            AdvisoryScope::Transaction => Scope::Transaction,
        },
        keepalive: Keepalive {
            idle: locks.keepalives_idle.0,
            every: locks.keepalives_interval.0,
            count: locks.keepalives_count as u32,
        },
    };
    let pool = match locks.pooler {
        // A pooler's session is a client's: it has a backend of its own, and what it held goes with it.
        Pooler::None | Pooler::Session => None,
        Pooler::Transaction => Some(Pool::new(locks.pool_size, locks.server_lifetime.0, locks.round_robin)),
    };
    keeper(AnyService::PostgresAdvisory(Postgres::new(config, pool)), Durability::Never)
}

pub(super) fn postgres_row(row: &model::PostgresRow) -> Actor {
    let release = match row.release {
        RowRelease::Keep => Release::KeepsRow,
        RowRelease::Delete => Release::DeletesRow,
    };
    let service = PostgresRow::new(Token(row.token), release);
    keeper(AnyService::PostgresRow(service), Durability::BeforeAnswer)
}

pub(super) fn dynamodb_item(item: &model::DynamodbItem) -> Actor {
    let deleted_after = item.deleted_after.map(|after| after.0);
    let service = DynamodbItem::new(Token(item.epoch), item.clock_margin.0, deleted_after);
    keeper(AnyService::DynamodbItem(service), Durability::BeforeAnswer)
}

pub(super) fn dynamodb_lock_client() -> Actor {
    keeper(AnyService::Records(dynamodb_lock_client::server()), Durability::BeforeAnswer)
}

pub(super) fn kubernetes(lease: &model::Kubernetes) -> Actor {
    keeper(AnyService::Records(kubernetes::server(lease.transitions)), Durability::BeforeAnswer)
}

pub(super) fn handover(handover: &model::Handover) -> Actor {
    let copy = handover::Copy::new(Token(handover.epoch));
    keeper(AnyService::Handover(copy), Durability::BeforeAnswer)
}

pub(super) fn lab(lab: &model::Lab) -> Actor {
    keeper(AnyService::Lab(Lab::new(Token(lab.token))), Durability::Never)
}

pub(super) fn felix_in_memory() -> Actor {
    keeper(AnyService::Felix(locks::felix::Memory::default()), Durability::Never)
}
