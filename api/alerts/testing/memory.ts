import { Types } from 'mongoose';
import type { Token } from '../../../common/tokens/model.ts';
import { fakeClock, silentLog } from '../../market/testing/market.ts';
import { type AlertWriterDeps, createAlertWriter } from '../alert-writer.ts';
import { createPlaces, hourOf } from '../limit/places.ts';
import type { Match } from '../matching/match.ts';
import { type AlertRecord, PLACES } from '../model.ts';
import type { AlertStore } from '../store.ts';
import { detectedToken } from './tokens.ts';

export const USER = '64b0000000000000000000a1';

/** The stored alerts in memory, with the two unique indexes of the collection. */
export function memoryStore() {
  const records: AlertRecord[] = [];
  const isSame = (one: AlertRecord, other: AlertRecord) =>
    one.userId.equals(other.userId) && one.address === other.address && one.type === other.type;
  const hasPlace = (one: AlertRecord, other: AlertRecord) =>
    one.place !== null && one.userId.equals(other.userId) && one.place === other.place;
  const store: Pick<AlertStore, 'allowed' | 'insert' | 'placesTaken'> = {
    allowed: async (_address, userIds) => new Set(userIds),
    async insert(added) {
      const isNew = (record: AlertRecord) => !records.some((other) => isSame(record, other));
      const contested = added.filter((record) => isNew(record) && records.some((other) => hasPlace(record, other)));
      const stored = added.filter((record) => isNew(record) && !contested.includes(record));
      records.push(...stored);
      return { stored, contested };
    },
    async placesTaken(userIds, hour) {
      const taken = new Map<string, number>();
      for (const { userId, place } of records) {
        const id = userId.toHexString();
        if (place === null || Math.floor(place / PLACES) !== hour || !userIds.includes(id)) continue;
        taken.set(id, Math.max(taken.get(id) ?? 0, (place % PLACES) + 1));
      }
      return taken;
    },
  };
  return { records, store };
}

/** Counts of alerts held back, in memory. */
function memoryHeldBack() {
  const counts = new Map<string, number>();
  const key = (id: string, hour: number) => `${id} ${hour}`;
  return {
    of: (id: string, at: number) => counts.get(key(id, hourOf(at))) ?? 0,
    heldBack: {
      add(userIds: readonly string[], at: number) {
        for (const id of userIds) counts.set(key(id, hourOf(at)), (counts.get(key(id, hourOf(at))) ?? 0) + 1);
      },
      async ofLastHour(userIds: readonly string[], at: number) {
        return new Map(userIds.flatMap((id) => [[id, counts.get(key(id, hourOf(at) - 1)) ?? 0] as const]));
      },
      store: async () => {},
    },
  };
}

interface WriterOptions {
  clock?: ReturnType<typeof fakeClock>;
  store?: AlertWriterDeps['store'] & Pick<AlertStore, 'placesTaken'>;
  limit?: () => number;
  /** Users with a chat. */
  linked?: readonly string[];
  overrides?: Partial<AlertWriterDeps>;
}

/** Sets up a writer whose alerts stay in memory. */
export function setUpWriter(options: WriterOptions = {}) {
  const { clock = fakeClock(), limit = () => 6, linked = [], overrides = {} } = options;
  const memory = memoryStore();
  const { store = memory.store } = options;
  const { heldBack, of } = memoryHeldBack();
  const writer = createAlertWriter({
    ...{ store, heldBack, limitOf: limit, clock, random: () => 0.5, log: silentLog },
    places: createPlaces({ store, limitOf: limit }),
    token: async () => null,
    textOf: async (type, { symbol }) => ({ text: `${type} ${symbol}`, template: '' }),
    outgoing: {
      messages: async (userIds, template, at) => {
        const place = { template, turn: 1, at, claimedUntil: null, reason: null, note: null };
        return new Map(
          userIds.filter((id) => linked.includes(id)).map((id) => [id, { ...place, state: 'queued' as const }]),
        );
      },
      wake: () => {},
    },
    bus: { emit: () => {} },
    onStored: async () => {},
    signal: new AbortController().signal,
    ...overrides,
  });
  return {
    clock,
    writer,
    /** Stored alerts, in order. */
    records: memory.records,
    heldBackOf: (id: string) => of(id, clock.now()),
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
