import type { Match } from './matcher.ts';

/** Users who wait to be alerted, of all tokens together; beyond it the matcher asks again later. */
const WAITING_MAX = 500_000;

/** What was found and is not stored yet: taken at once, worked off one after the other. */
export function createWaiting(work: (match: Match) => Promise<void>, max = WAITING_MAX) {
  const waiting: Match[] = [];
  let users = 0;
  let running = Promise.resolve();
  let isRunning = false;
  let stopped = false;

  async function run(): Promise<void> {
    for (let match = waiting.shift(); match && !stopped; match = waiting.shift()) {
      await work(match);
      users -= match.userIds.length;
    }
    isRunning = false;
  }

  return {
    /** False when there is no room. */
    offer(match: Match): boolean {
      // One that is larger than all the room there is must not wait for ever.
      if (stopped || (users > 0 && users + match.userIds.length > max)) return false;
      waiting.push(match);
      users += match.userIds.length;
      if (!isRunning) {
        isRunning = true;
        running = run();
      }
      return true;
    },
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
