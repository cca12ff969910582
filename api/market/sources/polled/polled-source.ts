import type { SourceState } from '../../../../common/sources/model.ts';
import { addressSchema } from '../../../../common/tokens/model.ts';
import type { Listing, Observation } from '../observation.ts';
import type { Source, SourceContext } from '../source.ts';
import { createAllowance } from './allowance.ts';
import { createServiceClient, type ServiceClient, type ServiceDeps } from './client.ts';
import type { RequestCost } from './pacer.ts';
import { RequestError } from './request-error.ts';
import type { PolledItem, ServiceApi, ServiceSpec } from './service-spec.ts';

export interface PolledSourceDeps extends ServiceDeps {
  /** Returns the key in force; null without one. */
  currentKey: () => string | null;
  /** Replaces the spec's address in tests. */
  baseUrl?: string | undefined;
}

/** A polled source, which is informed of key changes. */
export interface PolledSource extends Source {
  keyChanged(): void;
}

/** Figures and creations more than this ahead of our clock, ms, come from a wrong clock. */
const LATEST_AT = 60_000;
/** Most tokens of one list: several times the longest list of any service. */
const MAX_LISTED = 500;

/** Creates a source from the spec of a polled service. The poll aggregator decides when to poll. */
export function createPolledSource(spec: ServiceSpec, deps: PolledSourceDeps): PolledSource {
  const { clock } = deps;
  const { allowance: credits } = spec;
  const allowance = credits && createAllowance(spec.name, credits, deps);
  const client = createServiceClient(
    { ...spec, allowance, baseUrl: deps.baseUrl ?? spec.baseUrl, currentKey: deps.currentKey },
    deps,
  );
  const listingApi = createServiceApi(client, () => clock.now(), { credits: credits?.listings });
  const quoteApi = createServiceApi(client, () => clock.now(), { credits: credits?.quotes });
  let context: SourceContext | null = null;
  let stopped = false;
  let hasResponse = false;
  let lastEventAt: number | null = null;

  /** Polls and hands the items to the market. Resolves with the number of tokens. */
  async function poll(fetchItems: () => Promise<PolledItem[]>, mayBegin: boolean): Promise<number> {
    const items = bounded(await emptyIfMalformed(fetchItems, client));
    if (stopped || context === null) throw new RequestError('stopped');
    hasResponse = true;
    const receivedAt = clock.now();
    if (items.length > 0) lastEventAt = receivedAt;
    const valid = items.filter((item) => isValid(item, client));
    context.observe(valid.map((item) => observationOf(item, { spec, receivedAt, mayBegin })));
    return valid.filter(({ kind }) => kind === 'token').length;
  }

  async function pollQuotes(
    { batchSize, maxPerRun, fetch }: NonNullable<ServiceSpec['quotes']>,
    addresses: readonly string[],
  ): Promise<number> {
    const wanted = addresses.slice(0, maxPerRun);
    let count = 0;
    for (let from = 0; from < wanted.length; from += batchSize) {
      count += await poll(() => fetch(quoteApi, wanted.slice(from, from + batchSize)), false);
    }
    return count;
  }

  const { fetchListings, quotes } = spec;
  return {
    name: spec.name,
    keyChanged() {
      allowance?.keyChanged();
      client.keyChanged();
    },
    poller: {
      fetchListings: fetchListings ? () => poll(() => fetchListings(listingApi), true) : null,
      fetchQuotes: quotes ? (addresses) => pollQuotes(quotes, addresses) : null,
      maxPerRun: quotes?.maxPerRun ?? 0,
      ...(allowance && { isPaced: allowance.isPaced }),
    },
    async start(given) {
      await allowance?.load(given);
      context = given;
    },
    async stop() {
      stopped = true;
      client.stop();
      await allowance?.saved();
    },
    status: () => ({ state: stateOf(client, { stopped, hasResponse }), lastEventAt }),
    figures: () => client.figures(),
  };
}

/** Bounds the tokens of a list, so that an endless one cannot flood the market. The newest come first. */
function bounded(items: readonly PolledItem[]): PolledItem[] {
  const isToken = ({ kind }: PolledItem) => kind === 'token';
  return [...items.filter(isToken).slice(0, MAX_LISTED), ...items.filter((one) => !isToken(one))];
}

/** Quote currencies (SOL, USDC, USDT), which are never a launch. */
const QUOTES: ReadonlySet<string> = new Set([
  'So11111111111111111111111111111111111111112',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
]);

/** Whether the item can be about a token of ours; an invalid address counts as malformed. */
function isValid(item: PolledItem, client: ServiceClient): boolean {
  if (item.kind !== 'token') return true;
  const isAddress = addressSchema.safeParse(item.address).success;
  if (!isAddress) client.countMalformed();
  return isAddress && !QUOTES.has(item.address);
}

/** Treats an error of the spec itself as a malformed response. Rethrows RequestError. */
async function emptyIfMalformed(fetchItems: () => Promise<PolledItem[]>, client: ServiceClient): Promise<PolledItem[]> {
  try {
    return await fetchItems();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    client.countMalformed();
    return [];
  }
}

function stateOf(
  client: ServiceClient,
  { stopped, hasResponse }: { stopped: boolean; hasResponse: boolean },
): SourceState {
  if (stopped) return 'stopped';
  const { circuit, reason } = client.figures();
  if (circuit !== 'closed' || (reason !== null && !hasResponse)) return 'down';
  return hasResponse ? 'live' : 'connecting';
}

function observationOf(
  item: PolledItem,
  { spec, receivedAt, mayBegin }: { spec: ServiceSpec; receivedAt: number; mayBegin: boolean },
): Observation {
  const at = Math.min(item.at ?? receivedAt, receivedAt + LATEST_AT);
  const from = { source: spec.name, at, receivedAt };
  switch (item.kind) {
    case 'rate':
      return { ...from, kind: 'rate', solUsd: item.solUsd };
    case 'symbols':
      return { ...from, kind: 'symbols', symbols: item.symbols };
    case 'token': {
      const { address, listing } = item;
      return { ...from, kind: 'listed', address, mayBegin: mayBegin && isDated(listing, receivedAt), listing };
    }
  }
}

/**
 * Whether the creation time is known. Services list coins of any age; one without a known age would count as new, so it waits
 * for a response with its age.
 */
function isDated({ createdAt }: Listing, now: number): boolean {
  return createdAt != null && createdAt <= now + LATEST_AT;
}

/** Creates the requests that specs use; each costs `cost`. */
export function createServiceApi(
  client: Pick<ServiceClient, 'request' | 'countMalformed'>,
  now: () => number,
  cost: RequestCost = {},
): ServiceApi {
  const api: ServiceApi = {
    get: (path, query) => client.request({ method: 'GET', path, query, ...cost }),
    post: (path, body) => client.request({ method: 'POST', path, body, ...cost }),
    item(schema, value) {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      client.countMalformed();
      return null;
    },
    items(schema, list) {
      if (!Array.isArray(list)) {
        client.countMalformed();
        return [];
      }
      return list.flatMap((value: unknown) => {
        const item = api.item(schema, value);
        return item === null ? [] : [item];
      });
    },
    now,
  };
  return api;
}
