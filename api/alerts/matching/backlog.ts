import type { Match } from './matcher.ts';

/** Users who wait to be alerted, of all tokens together; beyond it the matcher asks again later. */
const WAITING_MAX = 500_000;

/** What a match weighs beside its users, in users: it holds a token of its own. */
export const PER_MATCH = 20;

/** What was found and is not stored yet: taken at once, worked off one after the other. */
export function createWaiting(work: (match: Match) => Promise<void>, max = WAITING_MAX) {
  const waiting: Match[] = [];
  /** Of all that waits and is being worked off. */
  let weight = 0;
  let running = Promise.resolve();
  let isRunning = false;
  let stopped = false;

  async function run(): Promise<void> {
    for (let match = waiting.shift(); match && !stopped; match = waiting.shift()) {
      await work(match);
      weight -= weightOf(match);
    }
    isRunning = false;
  }

  return {
    /** False when there is no room. */
    offer(match: Match): boolean {
      // One that is larger than all the room there is must not wait for ever.
      if (stopped || (weight > 0 && weight + weightOf(match) > max)) return false;
      waiting.push(match);
      weight += weightOf(match);
      if (!isRunning) {
        isRunning = true;
        running = run();
      }
      return true;
    },
    /** True while not even one user fits in: then nobody need be looked for. */
    isFull: () => stopped || weight + PER_MATCH + 1 > max,
    /** Resolves when nothing waits. */
    async settled(): Promise<void> {
      while (isRunning) await running;
    },
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}

function weightOf({ userIds }: Match): number {
  return userIds.length + PER_MATCH;
}
