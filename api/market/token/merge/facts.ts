import { sourceLabels } from '../../../../common/sources/model.ts';
import { isStandardStart } from '../../../../common/tokens/curve.ts';
import type { Fact } from '../../../../common/tokens/risk/score.ts';
import { lamportsToSol } from '../../../../common/tokens/units.ts';
import type { SourceName } from '../../../tokens/record.ts';
import { developerOf } from '../../../tokens/wallets/developer.ts';
import type {
  CreatedObservation,
  FactsObservation,
  LiquidityWithdrawnObservation,
  ListingFacts,
  MigratedObservation,
  ReadFacts,
} from '../../sources/observation.ts';
import { isAtPeak } from '../lifecycle.ts';
import { AT_ONCE, type LiveToken, set, setFact } from '../state/live-token.ts';
import { isChain, type Provenance } from './precedence.ts';
import { preferFact, preferHighest } from './preferred-fields.ts';
import { toLamports } from './price.ts';
import { isPoolUnobserved } from './reported-figures.ts';

/** Behaviour of pump.fun's program for every coin; data read from an account replaces it. */
const RULE_PUMP_FUN = 'rule: pump.fun gives up both authorities when it creates a coin';
const RULE_PUMP_FUN_LP = 'rule: pump.fun burns the LP when a coin moves to its pool';

/** Merges the facts that follow from a creation. Returns true when one changed. */
export function mergeCreationFacts(live: LiveToken, created: CreatedObservation): boolean {
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: created.at, source: created.chain.signature });
  let changed = setFact(live, 'standardCurve', fact(isStandardStart(created.reserves, created.quote === 'SOL')));
  if (preferFact(live, 'metadataFile', fact(created.uri.trim() !== ''), created)) changed = true;
  if (created.user !== null) {
    const { creator, user } = created;
    const isOther = creator !== user && creator !== live.record.creationFeePayer;
    if (setFact(live, 'otherCreator', fact(isOther))) changed = true;
  }
  // In mayhem mode other parties may mint the coin, so the rule does not apply.
  if (created.launchpad !== 'pump.fun' || created.mayhem) return changed;
  const rule = <Value>(value: Value): Fact<Value> => ({ value, at: created.at, source: RULE_PUMP_FUN });
  if (preferFact(live, 'mintAuthorityLive', rule(false), created)) changed = true;
  if (preferFact(live, 'freezeAuthorityLive', rule(false), created)) changed = true;
  if (preferFact(live, 'extensions', rule<string[]>([]), created)) changed = true;
  return changed;
}

/** Merges the facts that follow from the move into a pool. Returns true when one changed. */
export function mergeMigrationFacts(live: LiveToken, migrated: MigratedObservation): boolean {
  const none = { value: { sol: 0, byInsider: false }, at: migrated.at, source: migrated.chain.signature };
  // From now on withdrawals from other pools are observed.
  const isNew = live.record.facts.lpPulled == null && isChain(migrated.source) && setFact(live, 'lpPulled', none);
  if (live.record.launchpad !== 'pump.fun') return isNew;
  const isBurnt = preferFact(live, 'lpUnlocked', { value: 0, at: migrated.at, source: RULE_PUMP_FUN_LP }, migrated);
  return isNew || isBurnt;
}

/** Adds a withdrawal from another pool of the coin. Returns true when it has a value in SOL. */
export function mergeLiquidityWithdrawn(
  live: LiveToken,
  { wallet, quote, quoteAmount, at, chain }: LiquidityWithdrawnObservation,
  solUsd: number | null,
): boolean {
  const lamports = toLamports(quote, quoteAmount, solUsd);
  if (lamports === null) return false;
  const known = live.record.facts.lpPulled?.value ?? { sol: 0, byInsider: false };
  // Only the developer: any early buyer could fill a pool of its own and empty it, to brand the coin.
  const byInsider = known.byInsider || developerOf(live.record).includes(wallet);
  const value = { sol: known.sol + lamportsToSol(lamports), byInsider };
  return setFact(live, 'lpPulled', { value, at, source: chain.signature });
}

/** Merges who paid for the creation and who funded the early buyers. Returns true when either was news. */
export function mergeLaunchFacts(live: LiveToken, { facts, at, source }: FactsObservation): boolean {
  const { feePayer, funders } = facts;
  let changed = false;
  if (feePayer != null && set(live, 'creationFeePayer', feePayer)) {
    live.ledger?.addDeveloper(feePayer);
    // A creator that paid for the creation signed it as well.
    if (feePayer === live.record.creator && live.record.facts.otherCreator?.value === true) {
      setFact(live, 'otherCreator', { value: false, at, source: `${source}: fee payer of the creation` });
    }
    changed = true;
  }
  if (funders != null && funders.length > 0) {
    set(live, 'funders', funders);
    live.ledger?.addFunders(funders);
    changed = true;
  }
  if (changed) live.due.score = AT_ONCE;
  return changed;
}

/** Merges facts read from accounts. A key that is missing or null changes nothing. Returns true when one changed. */
export function mergeReadFacts(live: LiveToken, { facts, at, source }: FactsObservation): boolean {
  const read = readFacts(live, facts, { at, source, evidence: `${source}: account ${live.record._id}` });
  const holders = facts.largestHolders != null && mergeHolders(live, facts.largestHolders, { at, source });
  return read || holders;
}

/** Merges the facts reported by a data service. Returns true when one changed. */
export function mergeListingFacts(live: LiveToken, facts: ListingFacts, { source, at }: Provenance): boolean {
  const from = { source, at, evidence: sourceLabel(source) };
  let changed = readFacts(live, facts, from);
  for (const key of ['suspicious', 'organicScore'] as const) {
    const value = facts[key];
    // Of one service only, so that no precedence is needed.
    if (value != null && setFact(live, key, { value, at, source: from.evidence })) changed = true;
  }
  if (areSharesCounted(live)) return changed;
  return mergeShares(live, facts, { ...from, mayFall: isAtPeak(live) }) || changed;
}

/** Returns whether the shares of the wallets are computed from the trades, and so newer than any report. */
function areSharesCounted(live: LiveToken): boolean {
  return (live.record.complete || live.ledger !== null) && !isPoolUnobserved(live);
}

/** Reported shares of the supply, percent 0–100; null or missing when unknown. */
type Shares = Pick<ListingFacts, 'topTen' | 'largestWallet' | 'creatorHolds'>;

/** Merges reported shares of the largest wallets and the developer. Returns true when one changed. */
function mergeShares(
  live: LiveToken,
  { topTen, largestWallet, creatorHolds }: Shares,
  from: Provenance & { evidence: string; mayFall: boolean },
): boolean {
  const fact = (value: number): Fact<number> => ({ value, at: from.at, source: from.evidence });
  return [
    topTen != null && preferHighest(live, 'topTen', fact(topTen), from),
    largestWallet != null && preferHighest(live, 'largestWallet', fact(largestWallet), from),
    creatorHolds != null && preferFact(live, 'creatorHolds', fact(creatorHolds), from),
    creatorHolds != null && preferHighest(live, 'creatorHeld', fact(creatorHolds), { ...from, mayFall: false }),
  ].includes(true);
}

function readFacts(
  live: LiveToken,
  facts: ReadFacts,
  { evidence, ...from }: Provenance & { evidence: string },
): boolean {
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: from.at, source: evidence });
  const { mintAuthority, freezeAuthority, extensions, transferFeeBps, lpLockedPercent, metadataMutable, metadataFile } =
    facts;
  return [
    mintAuthority != null && preferFact(live, 'mintAuthorityLive', fact(mintAuthority === 'live'), from),
    freezeAuthority != null && preferFact(live, 'freezeAuthorityLive', fact(freezeAuthority === 'live'), from),
    extensions != null && preferFact(live, 'extensions', fact(extensions), from),
    transferFeeBps != null && preferFact(live, 'transferFeeBps', fact(transferFeeBps), from),
    // A coin outside a pool has no LP, so a report about it does not describe its later LP.
    lpLockedPercent != null &&
      live.record.stage === 'pool' &&
      preferFact(live, 'lpUnlocked', fact(100 - lpLockedPercent), from),
    metadataMutable != null && preferFact(live, 'metadataMutable', fact(metadataMutable), from),
    metadataFile != null && preferFact(live, 'metadataFile', fact(metadataFile), from),
  ].includes(true);
}

/** Returns the name of a source as evidence of a fact. */
export function sourceLabel(source: SourceName): string {
  return source === 'rpc' || source === 'env' ? source : sourceLabels[source];
}

/** Drops reported shares of the wallets once they are computed from the trades. */
export function dropReportedShares(live: LiveToken): void {
  for (const key of ['topTen', 'largestWallet', 'creatorHolds', 'creatorHeld', 'holders'] as const)
    setFact(live, key, null);
}

/** Longest list of accounts that an RPC node returns. */
const LISTED_HOLDERS = 20;

/** Merges holders read from accounts, unless our own ledger, which is newer with every trade, counts them. */
function mergeHolders(
  live: LiveToken,
  accounts: readonly { wallet: string; amount: number }[],
  from: Provenance,
): boolean {
  const { record } = live;
  // The reader of a coin first met by a pool trade does not know its pool.
  const holders = accounts.filter(({ wallet }) => wallet !== record.pool && wallet !== record.bondingCurve);
  const supply = supplyOf(live);
  if (areSharesCounted(live) || supply === null) return false;
  // An earlier reading counted an account as a holder that turned out to be the pool or the curve.
  const wasWrong = record.topHolders.some(({ wallet }) => wallet === record.pool || wallet === record.bondingCurve);
  set(live, 'topHolders', holders.slice(0, LISTED_HOLDERS));
  const changed = record.holdersFrozen === true && set(live, 'holdersFrozen', false);
  const creators = holders.find(({ wallet }) => wallet === record.creator);
  // A creator outside a full list of twenty may still hold some; only a shorter list proves that it holds none.
  const isKnown = record.creator !== null && (creators !== undefined || accounts.length < LISTED_HOLDERS);
  const shares = {
    topTen: percentOf(sumOfTen(holders), supply),
    largestWallet: percentOf(holders[0]?.amount ?? 0, supply),
    creatorHolds: isKnown ? percentOf(creators?.amount ?? 0, supply) : null,
  };
  const evidence = `${from.source}: largest accounts of ${record._id}`;
  return mergeShares(live, shares, { ...from, evidence, mayFall: wasWrong || isAtPeak(live) }) || changed;
}

/** Returns the total supply in base units; null when unknown. */
export function supplyOf(live: LiveToken): number | null {
  const supply = Number(live.record.totalSupply ?? 0);
  return supply > 0 ? supply : null;
}

/** Returns percent 0–100 to one decimal. */
export function percentOf(amount: number, supply: number): number {
  return Math.round((amount / supply) * 1000) / 10;
}

export function sumOfTen(holders: readonly { amount: number }[]): number {
  let sum = 0;
  for (let i = 0; i < 10; i += 1) sum += holders[i]?.amount ?? 0;
  return sum;
}
