import type { SourceState } from '../../../../common/sources/model.ts';
import { addressSchema } from '../../../../common/tokens/model.ts';
import type { Listing, Observation, RateObservation } from '../observation.ts';
import type { Source, SourceContext } from '../source.ts';
import { createServiceClient, type ServiceClient, type ServiceDeps } from './client.ts';
import { AskError } from './request-error.ts';
import type { Ask, PolledSpec, Told } from './service-spec.ts';

export interface PolledDeps extends ServiceDeps {
  /** The key in force; null without. */
  currentKey: () => string | null;
  /** Stands in for the spec's own address in tests. */
  baseUrl?: string | undefined;
}

/** A polling source, and what is needed when its key changes or is tested. */
export interface PolledSource extends Source {
  readonly client: ServiceClient;
}

/** Figures, and creations, that claim to be of later than this, ms, are of a wrong clock. */
const LATEST_AT = 60_000;
/** Tokens of one list at most: several times what any of the services lists at once. */
const MAX_LISTED = 500;

/** A source of the market around the spec of a service that is asked. It asks only when it is told to, see the aggregator. */
export function createPolled(spec: PolledSpec, deps: PolledDeps): PolledSource {
  const { clock } = deps;
  const client = createServiceClient(
    { ...spec, baseUrl: deps.baseUrl ?? spec.baseUrl, currentKey: deps.currentKey },
    deps,
  );
  const ask = askOf(client, () => clock.now());
  let context: SourceContext | null = null;
  let stopped = false;
  let answered = false;
  let lastEventAt: number | null = null;

  /** Asks, and hands what is told to the market. How many tokens it told of. */
  async function tell(question: () => Promise<Told[]>, mayBegin: boolean): Promise<number> {
    const told = bounded(await orMalformed(question, client));
    if (stopped || context === null) throw new AskError('stopped');
    answered = true;
    const receivedAt = clock.now();
    if (told.length > 0) lastEventAt = receivedAt;
    const sound = told.filter((item) => isSound(item, client));
    context.observe(sound.map((item) => observationOf(item, { spec, receivedAt, mayBegin })));
    return sound.filter(({ kind }) => kind === 'token').length;
  }

  async function about(
    { batch, perRun, ask: question }: NonNullable<PolledSpec['about']>,
    addresses: readonly string[],
  ) {
    const wanted = addresses.slice(0, perRun);
    let count = 0;
    for (let from = 0; from < wanted.length; from += batch) {
      count += await tell(() => question(ask, wanted.slice(from, from + batch)), false);
    }
    return count;
  }

  const { listings, about: aboutOf } = spec;
  return {
    name: spec.name,
    client,
    poll: {
      listings: listings ? () => tell(() => listings(ask), true) : null,
      about: aboutOf ? (addresses) => about(aboutOf, addresses) : null,
      perRun: aboutOf?.perRun ?? 0,
    },
    async start(given) {
      context = given;
    },
    async stop() {
      stopped = true;
      client.stop();
    },
    status: () => ({ state: stateOf(client, { stopped, answered }), lastEventAt }),
    figures: () => client.figures(),
  };
}

/** Without what a list that never ends would flood the market with. The newest come first. */
function bounded(told: readonly Told[]): Told[] {
  const isToken = ({ kind }: Told) => kind === 'token';
  return [...told.filter(isToken).slice(0, MAX_LISTED), ...told.filter((one) => !isToken(one))];
}

/** What everything else is quoted in: no launch, whatever a list says. */
const QUOTES: ReadonlySet<string> = new Set([
  'So11111111111111111111111111111111111111112',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
]);

/** Whether it is about something that can be a token of ours; an address that is none counts as malformed. */
function isSound(told: Told, client: ServiceClient): boolean {
  if (told.kind !== 'token') return true;
  const isAddress = addressSchema.safeParse(told.address).success;
  if (!isAddress) client.countMalformed();
  return isAddress && !QUOTES.has(told.address);
}

/** A throw of the spec itself is an answer it cannot read: it costs that answer. */
async function orMalformed(question: () => Promise<Told[]>, client: ServiceClient): Promise<Told[]> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof AskError) throw error;
    client.countMalformed();
    return [];
  }
}

function stateOf(client: ServiceClient, { stopped, answered }: { stopped: boolean; answered: boolean }): SourceState {
  if (stopped) return 'stopped';
  const { circuit, reason } = client.figures();
  if (circuit !== 'closed' || (reason !== null && !answered)) return 'down';
  return answered ? 'live' : 'connecting';
}

function observationOf(
  told: Told,
  { spec, receivedAt, mayBegin }: { spec: PolledSpec; receivedAt: number; mayBegin: boolean },
): Observation {
  const at = Math.min(told.at ?? receivedAt, receivedAt + LATEST_AT);
  const from = { source: spec.name, at, receivedAt };
  if (told.kind === 'rate') return { ...from, kind: 'rate', solUsd: told.solUsd } satisfies RateObservation;
  if (told.kind === 'symbols') return { ...from, kind: 'symbols', symbols: told.symbols };
  const { address, listing } = told;
  return { ...from, kind: 'listed', address, mayBegin: mayBegin && isDated(listing, receivedAt), listing };
}

/**
 * Whether it is known when the token began. Lists of services name coins of any age, and one whose age is not known would be
 * taken for new; it waits for an answer that tells.
 */
function isDated({ createdAt }: Listing, now: number): boolean {
  return createdAt != null && createdAt <= now + LATEST_AT;
}

/** The contract that specs ask by. */
export function askOf(client: ServiceClient, now: () => number): Ask {
  const ask: Ask = {
    get: (path, query) => client.ask({ method: 'GET', path, query }),
    post: (path, body) => client.ask({ method: 'POST', path, body }),
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
        const item = ask.item(schema, value);
        return item === null ? [] : [item];
      });
    },
    now,
  };
  return ask;
}
