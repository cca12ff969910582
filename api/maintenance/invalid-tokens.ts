import { type Clock, HOUR, MINUTE } from '../../common/time.ts';
import type { Cluster } from '../../common/tokens/model.ts';
import { missingNames, missingSymbols, nameIsMissing, symbolIsMissing } from '../../common/tokens/names.ts';
import { isPublicKey } from '../../common/wallet/model.ts';
import type { Market } from '../market/market.ts';
import { type Removal, tokensAt } from '../market/operations/removal.ts';
import type { IdentityFields } from '../market/publish/store.ts';
import type { MintLookup } from '../market/sources/solana/facts/mint-lookup.ts';
import type { Progress } from '../runs/service.ts';

/** Time after its detection during which a token may have no name, ms (decision 18). */
export const NAME_GRACE = HOUR;
/** Time after its detection before a mint is looked up, ms: we may detect a launch before a node knows it. */
export const MINT_GRACE = 5 * MINUTE;
/** Found tokens are removed in batches of this size. */
const REMOVAL_BATCH = 5_000;

/** Returns true when the record itself is invalid: a malformed address, or neither name nor symbol after an hour. */
export function isInvalid({ _id, name, symbol, detectedAt }: IdentityFields, now: number): boolean {
  if (!isPublicKey(_id)) return true;
  return nameIsMissing(name) && symbolIsMissing(symbol) && now - detectedAt >= NAME_GRACE;
}

/** Addresses of invalid tokens; the nameless ones are invalid only as long as they have no name. */
interface Found {
  permanent: Set<string>;
  nameless: Set<string>;
}

/** Returns the removal of found tokens, without tokens that got a name during the lookups. */
export function removalOf({ permanent, nameless }: Found): Removal {
  const withoutName = { name: { $in: [...missingNames] }, symbol: { $in: [...missingSymbols] } };
  return {
    ...tokensAt(permanent),
    filter: {
      _id: { $in: [...permanent, ...nameless] },
      $or: [{ _id: { $in: [...permanent] } }, withoutName],
    },
    matches: ({ _id, name, symbol }) =>
      permanent.has(_id) || (nameless.has(_id) && nameIsMissing(name) && symbolIsMissing(symbol)),
  };
}

/** Returns the cluster on which to look up the mint; null for simulated (decision 26) and very young tokens. */
function lookupCluster({ cluster, launchpad, detectedAt }: IdentityFields, now: number): Cluster {
  return launchpad === 'simulator' || now - detectedAt < MINT_GRACE ? null : cluster;
}

/**
 * Result of a clean-up. `unreachable`: clusters without any response, where no mint was looked up; `partial`: clusters that
 * stopped responding; `skipped`: number of tokens whose cluster has no configured node.
 */
export interface Cleanup {
  count: number;
  unreachable: NonNullable<Cluster>[];
  partial: NonNullable<Cluster>[];
  skipped: number;
}

/** Removes every invalid token (decisions 18 and 26). `total`: the number of tokens, for the progress. */
export async function removeInvalidTokens(
  deps: {
    market: Pick<Market, 'remove' | 'identities'>;
    lookup: MintLookup;
    clock: Clock;
  },
  { total, progress, signal }: { total: number; progress: Progress; signal: AbortSignal },
): Promise<Cleanup> {
  const { market, lookup, clock } = deps;
  const [responded, failed] = [new Set<NonNullable<Cluster>>(), new Set<NonNullable<Cluster>>()];
  let found: Found = { permanent: new Set(), nameless: new Set() };
  let [checked, count, skipped] = [0, 0, 0];
  const pending = () => found.permanent.size + found.nameless.size;

  async function unknownTo(cluster: NonNullable<Cluster>, addresses: readonly string[]): Promise<string[]> {
    if (!lookup.reaches(cluster)) {
      skipped += addresses.length;
      return [];
    }
    const known = await lookup.findMints(cluster, addresses);
    (known === null ? failed : responded).add(cluster);
    return known === null ? [] : addresses.filter((address) => !known.has(address));
  }

  async function removeFound(): Promise<void> {
    count += await market.remove(removalOf(found));
    found = { permanent: new Set(), nameless: new Set() };
  }

  async function check(page: readonly IdentityFields[]): Promise<void> {
    const now = clock.now();
    const toLookUp = new Map<NonNullable<Cluster>, string[]>();
    for (const token of page) {
      const cluster = lookupCluster(token, now);
      if (isInvalid(token, now)) (isPublicKey(token._id) ? found.nameless : found.permanent).add(token._id);
      else if (cluster !== null) toLookUp.set(cluster, [...(toLookUp.get(cluster) ?? []), token._id]);
    }
    for (const [cluster, addresses] of toLookUp) {
      for (const address of await unknownTo(cluster, addresses)) found.permanent.add(address);
    }
  }

  for (let page = await market.identities(''); page.length > 0 && !signal.aborted; ) {
    await check(page);
    checked += page.length;
    if (pending() >= REMOVAL_BATCH) await removeFound();
    progress(checked, Math.max(total, checked), `Checked ${checked} tokens, ${count + pending()} of them invalid`);
    page = await market.identities(page.at(-1)?._id ?? '');
  }
  if (pending() > 0) await removeFound();
  return {
    count,
    unreachable: [...failed].filter((cluster) => !responded.has(cluster)),
    partial: [...failed].filter((cluster) => responded.has(cluster)),
    skipped,
  };
}
