import { setTimeout as wait } from 'node:timers/promises';
import { answer } from './child.ts';
import type { ClientKind } from './load-connection.ts';
import { type Group, openGroup } from './load-group.ts';
import { Histogram } from './statistics.ts';

/** All load clients, in a process of its own. A group is the clients of one server. */
const groups = new Map<string, Group>();
/** How long without any delivery until what is missing counts as lost, ms. */
const GIVE_UP_MS = 5_000;
const LOOK_MS = 10;

function group(name: string): Group {
  const found = groups.get(name);
  if (!found) throw new Error(`no group ${name}`);
  return found;
}

const calls = {
  /** Opens `count` more clients of a group and waits until all are connected. */
  async open({ name, kind, port, count }: { name: string; kind: ClientKind; port: number; count: number }) {
    const known = groups.get(name) ?? openGroup(kind, port);
    groups.set(name, known);
    await known.open(count);
  },

  /** From now on the next frame is number `seq + 1`. `frames`: how many arrival times to keep. */
  expectAfter({ name, seq, frames }: { name: string; seq: number; frames: number }) {
    group(name).expectAfter(seq, frames);
  },

  /** Waits until every reading client has frame `seq`, or nothing comes any more. */
  async arrived({ name, seq }: { name: string; seq: number }) {
    const clients = group(name);
    let frames = -1;
    for (let quietMs = 0; quietMs < GIVE_UP_MS && !clients.haveAll(seq); quietMs += LOOK_MS) {
      if (clients.totals(seq).frames !== frames) quietMs = 0;
      frames = clients.totals(seq).frames;
      await wait(LOOK_MS);
    }
    return clients.totals(seq);
  },

  /** Latency of every update at every client, ms. `due`: when each update of each frame was due. */
  latency({ name, due }: { name: string; due: number[][] }) {
    const histogram = new Histogram();
    for (const [frame, times] of due.entries()) {
      for (const arrival of group(name).arrivals(frame)) for (const time of times) histogram.add(arrival - time);
    }
    const { count, max } = histogram;
    return { count, p50: histogram.percentile(0.5), p99: histogram.percentile(0.99), max };
  },

  /** The first `count` clients of the group stop reading. */
  stall({ name, count }: { name: string; count: number }) {
    group(name).stall(count);
  },

  close(name: string) {
    group(name).close();
    groups.delete(name);
  },
};
export type LoadCalls = typeof calls;

answer(calls);
