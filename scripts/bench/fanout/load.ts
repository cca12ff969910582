import { createHistogram } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { serveCalls } from './child.ts';
import type { ClientKind } from './load-connection.ts';
import { type Group, openGroup } from './load-group.ts';

/** The load clients of this process, grouped by server. */
const groups = new Map<string, Group>();
/** Time without a delivery after which missing frames count as lost, ms. */
const GIVE_UP_MS = 5_000;
const POLL_MS = 10;

function group(name: string): Group {
  const found = groups.get(name);
  if (!found) throw new Error(`no group ${name}`);
  return found;
}

interface OpenOptions {
  name: string;
  kind: ClientKind;
  port: number;
  count: number;
  /** Position that the clients continue at; missing: they have none. */
  cursor?: FeedCursor;
}

const calls = {
  /** Opens `count` more clients of a group and waits until all are connected. */
  async open({ name, kind, port, count, cursor }: OpenOptions) {
    const found = groups.get(name) ?? openGroup(kind, port);
    groups.set(name, found);
    await found.open(count, cursor ?? null);
  },

  /** Resets the totals; the next frame is number `seq + 1`. `frames`: the number of frames whose arrivals are recorded. */
  expectAfter({ name, seq, frames }: { name: string; seq: number; frames: number }) {
    group(name).expectAfter(seq, frames);
  },

  /** Waits until every reading client has frame `seq`, or deliveries end. */
  async waitForFrame({ name, seq }: { name: string; seq: number }) {
    const clients = group(name);
    let frames = -1;
    for (let quietMs = 0; quietMs < GIVE_UP_MS && !clients.haveAll(seq); quietMs += POLL_MS) {
      if (clients.totals(seq).frames !== frames) quietMs = 0;
      frames = clients.totals(seq).frames;
      await wait(POLL_MS);
    }
    return clients.totals(seq);
  },

  /** Returns the latency of every update at every client, ms. `due`: the due times of the updates of each frame. */
  latency({ name, due }: { name: string; due: number[][] }) {
    const microseconds = createHistogram();
    for (const [frame, times] of due.entries()) {
      for (const arrival of group(name).arrivals(frame)) {
        for (const time of times) microseconds.record(Math.max(1, Math.round((arrival - time) * 1000)));
      }
    }
    const percentile = (percent: number) => microseconds.percentile(percent) / 1000;
    return { count: microseconds.count, max: microseconds.max / 1000, p50: percentile(50), p99: percentile(99) };
  },

  /** Makes the first `count` clients of the group stop reading. */
  stall({ name, count }: { name: string; count: number }) {
    group(name).stall(count);
  },

  close(name: string) {
    group(name).close();
    groups.delete(name);
  },
};
export type LoadCalls = typeof calls;

serveCalls(calls);
