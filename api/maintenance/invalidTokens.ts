import type { Cluster } from '../../common/tokens/model.ts';
import { nameIsMissing, symbolIsMissing } from '../../common/tokens/names.ts';
import { isPublicKey } from '../../common/wallet/publicKey.ts';
import type { MintLookup } from '../chain/mintLookup.ts';
import type { Market } from '../market/market.ts';
import { tokensAt } from '../market/removal.ts';
import type { Clock } from '../market/sources/source.ts';
import type { IdentityFields } from '../market/store.ts';
import type { Progress } from './runs.ts';

/** A token may be without a name for this long after we heard of it, ms (decision 18). */
export const NAME_PATIENCE = 3_600_000;
/** We hear of a launch before every node does: whether its mint is known is asked no earlier than this, ms. */
export const MINT_PATIENCE = 5 * 60_000;
/** Invalid tokens are removed when there are so many, and at the end. */
const REMOVED_AT_ONCE = 5_000;

/** Whether a token is none by what is stored of it: its mint is malformed, or it has no name and no symbol after an hour. */
export function isInvalid({ _id, name, symbol, detectedAt }: IdentityFields, now: number): boolean {
  if (!isPublicKey(_id)) return true;
  return nameIsMissing(name) && symbolIsMissing(symbol) && now - detectedAt >= NAME_PATIENCE;
}

/** Whose chain can be asked for its mint: no simulated token's (decision 26), and not right after the launch. */
function claims({ cluster, launchpad, detectedAt }: IdentityFields, now: number): Cluster {
  return launchpad === 'simulator' || now - detectedAt < MINT_PATIENCE ? null : cluster;
}

export interface InvalidTokensDeps {
  market: Pick<Market, 'remove' | 'identities'>;
  lookup: MintLookup;
  clock: Clock;
}

/** What a clean-up did. `unasked`: clusters that could not be asked, so that nothing went for being unknown to them. */
export interface Cleanup {
  count: number;
  unasked: NonNullable<Cluster>[];
}

/** Removes every token that is none (decisions 18 and 26). `total`: how many there are, for the progress. */
export async function removeInvalidTokens(
  { market, lookup, clock }: InvalidTokensDeps,
  { total, progress, signal }: { total: number; progress: Progress; signal: AbortSignal },
): Promise<Cleanup> {
  const unasked = new Set<NonNullable<Cluster>>();
  let found = new Set<string>();
  let [looked, count] = [0, 0];

  async function unknownTo(cluster: NonNullable<Cluster>, addresses: readonly string[]): Promise<string[]> {
    const known = await lookup.known(cluster, addresses);
    if (known === null) unasked.add(cluster);
    return known === null ? [] : addresses.filter((address) => !known.has(address));
  }

  for (let page = await market.identities(''); page.length > 0 && !signal.aborted; ) {
    const now = clock.now();
    const toAsk = new Map<NonNullable<Cluster>, string[]>();
    for (const token of page) {
      const cluster = claims(token, now);
      if (isInvalid(token, now)) found.add(token._id);
      else if (cluster !== null) toAsk.set(cluster, [...(toAsk.get(cluster) ?? []), token._id]);
    }
    for (const [cluster, addresses] of toAsk) {
      for (const address of await unknownTo(cluster, addresses)) found.add(address);
    }
    looked += page.length;
    if (found.size >= REMOVED_AT_ONCE) {
      count += await market.remove(tokensAt(found));
      found = new Set();
    }
    progress(looked, Math.max(total, looked), `Looked at ${looked} tokens, ${count + found.size} of them invalid`);
    page = await market.identities(page.at(-1)?._id ?? '');
  }
  if (found.size > 0) count += await market.remove(tokensAt(found));
  return { count, unasked: [...unasked] };
}
