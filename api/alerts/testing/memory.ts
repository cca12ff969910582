import { Types } from 'mongoose';
import type { Token } from '../../../common/tokens/model.ts';
import { fakeClock, silentLog } from '../../market/testing/market.ts';
import { createHours } from '../hour.ts';
import type { Match } from '../matching/match.ts';
import type { AlertRecord } from '../model.ts';
import type { AlertStore } from '../store.ts';
import { type AlertWriterDeps, createAlertWriter } from '../write.ts';
import { detectedToken } from './tokens.ts';

export const USER = '64b0000000000000000000a1';

/** The stored alerts in memory, each single by user, token and type. */
function memoryStore() {
  const records: AlertRecord[] = [];
  const isSame = (one: AlertRecord, other: AlertRecord) =>
    one.userId.equals(other.userId) && one.address === other.address && one.type === other.type;
  const store: Pick<AlertStore, 'allowed' | 'insert' | 'countByUser'> = {
    allowed: async (_address, userIds) => new Set(userIds),
    async insert(added) {
      const stored = added.filter((record) => !records.some((other) => isSame(record, other)));
      records.push(...stored);
      return stored;
    },
    async countByUser(since) {
      const counts = new Map<string, number>();
      for (const { userId, at } of records) {
        const id = userId.toHexString();
        if (at.getTime() >= since) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return counts;
    },
  };
  return { records, store };
}

interface WriterOptions {
  clock?: ReturnType<typeof fakeClock>;
  limit?: () => number;
  /** Users with a chat. */
  linked?: readonly string[];
  /** The alerts of an earlier process. Default: none. */
  memory?: ReturnType<typeof memoryStore>;
  overrides?: Partial<AlertWriterDeps>;
}

/** Sets up a writer whose alerts stay in memory. */
export function setUpWriter(options: WriterOptions = {}) {
  const { clock = fakeClock(), limit = () => 6, linked = [], memory = memoryStore(), overrides = {} } = options;
  const { store } = memory;
  const hours = createHours({ count: store.countByUser, limitOf: limit, keyOf: ({ userId }) => userId.toHexString() });
  const writer = createAlertWriter({
    ...{ store, hours, limitOf: limit, clock, random: () => 0.5, log: silentLog },
    token: async () => null,
    textOf: async (type, { symbol }) => ({ text: `${type} ${symbol}`, template: '' }),
    outgoing: {
      messages: async (userIds, template, at) => {
        const message = { template, at, reason: null, note: null, state: 'queued' as const };
        return new Map(userIds.filter((id) => linked.includes(id)).map((id) => [id, message]));
      },
      add: () => {},
    },
    bus: { emit: () => {} },
    onStored: async () => {},
    signal: new AbortController().signal,
    ...overrides,
  });
  return {
    clock,
    hours,
    writer,
    memory,
    /** Stored alerts, in order. */
    records: memory.records,
    heldBackOf: (id: string) => hours.of(id, clock.now()).heldBack,
    /** Offers a match of a new token of `clock.now()`, unless `kind` differs. */
    offer(number: number, fields: Partial<Token> = {}, kind: Partial<Match> = {}) {
      const token = detectedToken(number, clock.now(), fields);
      const { address } = token;
      return writer.offer({
        ...{ type: 'new_token', address, token, userIds: [USER], isWatched: false, isFromStart: false },
        ...kind,
      });
    },
    /** Returns symbols of the user's alerts, in order. */
    symbolsOf: (id = USER) =>
      memory.records.filter(({ userId }) => userId.equals(new Types.ObjectId(id))).map(({ symbol }) => symbol),
  };
}
