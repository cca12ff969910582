import type { Clock } from '../../common/time.ts';
import type { Cluster } from '../../common/tokens/model.ts';
import { missingNames, missingSymbols, nameIsMissing, symbolIsMissing } from '../../common/tokens/names.ts';
import { isPublicKey } from '../../common/wallet/public-key.ts';
import type { Market } from '../market/market.ts';
import { type Removal, tokensAt } from '../market/operations/removal.ts';
import type { IdentityFields } from '../market/publish/store.ts';
import type { MintLookup } from '../market/sources/solana/facts/mint-lookup.ts';
import type { Progress } from '../runs/service.ts';

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

/** What was found to be none: for good, or as long as it has no name. */
interface Found {
  forGood: Set<string>;
  nameless: Set<string>;
}

/** Chains take their time to answer: a token that got its name meanwhile stays. */
export function removalOf({ forGood, nameless }: Found): Removal {
  const isNameless = { name: { $in: [...missingNames] }, symbol: { $in: [...missingSymbols] } };
  return {
    ...tokensAt(forGood),
    filter: {
      _id: { $in: [...forGood, ...nameless] },
      $or: [{ _id: { $in: [...forGood] } }, isNameless],
    },
    matches: ({ _id, name, symbol }) =>
      forGood.has(_id) || (nameless.has(_id) && nameIsMissing(name) && symbolIsMissing(symbol)),
  };
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

/**
 * What a clean-up did. `unasked`: clusters that could not be asked, so that nothing went for being unknown to them;
 * `partly`: those that answered at first, and then no more.
 */
export interface Cleanup {
  count: number;
  unasked: NonNullable<Cluster>[];
  partly: NonNullable<Cluster>[];
}

/** Removes every token that is none (decisions 18 and 26). `total`: how many there are, for the progress. */
export async function removeInvalidTokens(
  { market, lookup, clock }: InvalidTokensDeps,
  { total, progress, signal }: { total: number; progress: Progress; signal: AbortSignal },
): Promise<Cleanup> {
  const [answered, silent] = [new Set<NonNullable<Cluster>>(), new Set<NonNullable<Cluster>>()];
  let found: Found = { forGood: new Set(), nameless: new Set() };
  let [looked, count] = [0, 0];
  const waiting = () => found.forGood.size + found.nameless.size;

  async function unknownTo(cluster: NonNullable<Cluster>, addresses: readonly string[]): Promise<string[]> {
    const known = await lookup.findMints(cluster, addresses);
    (known === null ? silent : answered).add(cluster);
    return known === null ? [] : addresses.filter((address) => !known.has(address));
  }

  async function removeFound(): Promise<void> {
    count += await market.remove(removalOf(found));
    found = { forGood: new Set(), nameless: new Set() };
  }

  async function lookAt(page: readonly IdentityFields[]): Promise<void> {
    const now = clock.now();
    const toAsk = new Map<NonNullable<Cluster>, string[]>();
    for (const token of page) {
      const cluster = claims(token, now);
      if (isInvalid(token, now)) (isPublicKey(token._id) ? found.nameless : found.forGood).add(token._id);
      else if (cluster !== null) toAsk.set(cluster, [...(toAsk.get(cluster) ?? []), token._id]);
    }
    for (const [cluster, addresses] of toAsk) {
      for (const address of await unknownTo(cluster, addresses)) found.forGood.add(address);
    }
  }

  for (let page = await market.identities(''); page.length > 0 && !signal.aborted; ) {
    await lookAt(page);
    looked += page.length;
    if (waiting() >= REMOVED_AT_ONCE) await removeFound();
    progress(looked, Math.max(total, looked), `Looked at ${looked} tokens, ${count + waiting()} of them invalid`);
    page = await market.identities(page.at(-1)?._id ?? '');
  }
  if (waiting() > 0) await removeFound();
  return {
    count,
    unasked: [...silent].filter((cluster) => !answered.has(cluster)),
    partly: [...silent].filter((cluster) => answered.has(cluster)),
  };
}
