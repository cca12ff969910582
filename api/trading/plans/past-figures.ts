import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { StoredPoint } from '../../../common/strategies/history.ts';
import { isUnavailable } from '../../platform/database.ts';
import type { Change } from './core/model.ts';

/** Tokens per query. */
const BATCH = 50;
/** Changes of a token that wait for its past; the oldest prices are dropped beyond. */
const WAITING_MAX = 500;
const RETRY_MS = 500;

/** Puts the stored past of tokens that are not of now before their changes. */
export interface PastFigures {
  /**
   * Returns the changes that the core may receive: those of `known` tokens, which had figures before, wait until their past was
   * read. Times epoch ms.
   */
  take(changes: readonly Change[], known: ReadonlySet<string>): Change[];
  /** Drops all that waits. */
  clear(): void;
}

export interface PastFiguresDeps {
  /** Returns the stored points of tokens, oldest first. */
  read(addresses: readonly string[]): Promise<Map<string, StoredPoint[]>>;
  log: Logger;
}

export function createPastFigures({ read, log }: PastFiguresDeps): PastFigures {
  /** Changes of tokens whose past is not read yet; the first one is the token. */
  let waiting = new Map<string, Change[]>();
  let unread: string[] = [];
  let isReading = false;
  let ready: { address: string; points: StoredPoint[] }[] = [];

  async function readAll(): Promise<void> {
    isReading = true;
    const own = waiting;
    while (unread.length > 0 && own === waiting) {
      const batch = unread.splice(0, BATCH);
      try {
        const points = await read(batch);
        if (own === waiting) ready.push(...batch.map((address) => ({ address, points: points.get(address) ?? [] })));
      } catch (error) {
        if (own === waiting) unread.push(...batch);
        if (!isUnavailable(error)) log.warn({ error }, 'past of tokens not read, retrying');
        await wait(RETRY_MS);
      }
    }
    isReading = false;
    if (unread.length > 0) void readAll();
  }

  function hold(held: Change[], change: Change): void {
    held.push(change);
    if (held.length <= WAITING_MAX) return;
    const oldest = held.findIndex(({ type }) => type === 'price');
    held.splice(Math.max(1, oldest), 1);
  }

  return {
    take(changes, known) {
      const passed = ready.splice(0).flatMap(({ address, points }) => {
        const [token, ...rest] = waiting.get(address) ?? [];
        waiting.delete(address);
        return token ? [token, pastOf(address, points, rest), ...rest] : [];
      });
      for (const change of changes) {
        const address = addressOf(change);
        if (change.type === 'token' && known.has(change.token.address) && !waiting.has(change.token.address)) {
          waiting.set(change.token.address, []);
          unread.push(change.token.address);
        }
        const held = address === null ? undefined : waiting.get(address);
        if (!held || address === null) {
          passed.push(change);
        } else if (change.type === 'gone') {
          waiting.delete(address);
          passed.push(change);
        } else {
          hold(held, change);
        }
      }
      if (unread.length > 0 && !isReading) void readAll();
      return passed;
    },
    clear() {
      waiting = new Map();
      unread = [];
      ready = [];
    },
  };
}

/** Returns the points before the first price that is known exactly. */
function pastOf(address: string, points: readonly StoredPoint[], rest: readonly Change[]): Change {
  const first = rest.find((change) => change.type === 'price');
  const before = first?.type === 'price' ? first.price.at : Number.POSITIVE_INFINITY;
  return { type: 'history', address, points: points.filter(({ at }) => at < before) };
}

function addressOf(change: Change): string | null {
  switch (change.type) {
    case 'token':
      return change.token.address;
    case 'price':
      return change.price.address;
    case 'facts':
      return change.facts.address;
    case 'gone':
      return change.address;
    default:
      return null;
  }
}
