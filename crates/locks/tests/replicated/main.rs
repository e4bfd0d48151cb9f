//! Services of several servers, and their clients, on the real kernel: Consul, ZooKeeper, Hazelcast, Chubby, Felix, Raft itself, Redis with
//! replicas, and an etcd that is restored.
#![allow(clippy::wildcard_enum_match_arm, reason = "a test picks out the one note that it is about")]

mod cast;
mod chubby;
mod consul;
mod etcd_restored;
mod felix;
mod hazelcast;
mod lab;
mod raft;
mod redis;
mod worlds;
mod zookeeper;
