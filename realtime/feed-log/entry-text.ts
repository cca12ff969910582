import type { FeedPayload } from '../../common/live/events.ts';
import { decodeUpdates, encodeUpdates, type TokenUpdateArrays } from '../../common/live/token-updates.ts';
import type { FeedEntry, FeedEvent } from './feed-log.ts';

/** The payload of `token-updates` as the log stores it: the arrays for clients, with the address of each patch for named fields. */
type StoredUpdates = [...TokenUpdateArrays, addresses: string[]];

/** Returns the JSON of a payload, without its number. */
export function payloadJson({ event, payload }: FeedEvent): string {
  if (event !== 'token-updates') return JSON.stringify(payload);
  const { at, solUsd, patches } = payload;
  const [, ...arrays] = encodeUpdates({ seq: 0, at, solUsd, patches });
  return JSON.stringify([...arrays, patches.map(({ address }) => address)]);
}

/** Returns the JSON of an event with its number. `payload`: as `payloadJson` returns it. */
export function entryJson(event: FeedEvent['event'], payload: string, seq: number): string {
  // Every payload has a field of its own, so something follows its opening bracket.
  const opening = payload.startsWith('[') ? `[${seq},` : `{"seq":${seq},`;
  return `["${event}",${opening}${payload.slice(1)}]`;
}

/** Parses what `entryJson` returned. */
export function parseEntry(json: string): FeedEntry {
  const [event, payload]: [FeedEntry['event'], FeedPayload | StoredUpdates] = JSON.parse(json);
  if (Array.isArray(payload)) return parseUpdates(payload);
  // TypeScript cannot see that `event` and `payload` stay a pair.
  return { seq: payload.seq, event, payload } as FeedEntry;
}

function parseUpdates([seq, at, solUsd, arrays, addresses]: StoredUpdates): FeedEntry {
  const { patches } = decodeUpdates([seq, at, solUsd, arrays]);
  const named = patches.map((patch, index) => ({ address: addresses[index] ?? '', ...patch }));
  return { seq, event: 'token-updates', payload: { seq, at, solUsd, patches: named } };
}
