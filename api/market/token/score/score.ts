import { growthScore } from '../../../../common/tokens/growth.ts';
import { isMightRun, isRunner } from '../../../../common/tokens/lists.ts';
import { marketCapUsd } from '../../../../common/tokens/market-cap.ts';
import { riskScore } from '../../../../common/tokens/risk/score.ts';
import { refreshFacts } from '../merge/facts.ts';
import { priceInSol, toLamports } from '../merge/price.ts';
import { appliedReport, reportedPrice } from '../merge/reported-figures.ts';
import { type LiveToken, set } from '../state/live-token.ts';
import { dropOldHours, volumeUsd } from '../state/volume.ts';

/** Score and growth are made at most this often for one token, ms: they move slower than trades come. */
export const SCORE_EVERY = 1_000;
export const GROWTH_EVERY = 5_000;
/** The stored holders are copied at most this often, ms: twenty wallets are the largest part of a record. */
export const HOLDERS_EVERY = 5_000;

/** The span that a volume is of, ms. */
const DAY = 86_400_000;

/** The rate figures are made with, and its generation. */
export interface RateInForce {
  solUsd: number | null;
  generation: number;
}

/** Makes the figures in US dollars anew, and those in SOL of coins quoted in dollars. True when one changed. */
export function revalue(live: LiveToken, { solUsd, generation }: RateInForce, now: number): boolean {
  if (live.ratedIn === generation) return false;
  live.ratedIn = generation;
  const { record } = live;
  if (dropOldHours(record.volumeByHour, now)) live.dirty.add('volumeByHour');
  let changed = false;
  if (record.reserves !== null) {
    changed = set(live, 'price', priceInSol(record.reserves, record.quote, record.decimals, solUsd));
    if (record.quote === 'USDC') {
      const liquidity = toLamports(record.quote, record.reserves.realQuote, solUsd);
      if (set(live, 'liquidityLamports', liquidity)) changed = true;
    }
  }
  if (takeTold(live, solUsd)) changed = true;
  const cap = marketCapUsd(record.price, record.totalSupply, record.decimals, solUsd);
  if (set(live, 'marketCapUsd', cap ?? record.reported?.marketCapUsd?.value ?? null)) changed = true;
  if (set(live, 'volumeUsd', volumeNow(live, solUsd, now))) changed = true;
  return changed;
}

/** Puts in what data services say, where the chain's own figures do not count. */
function takeTold(live: LiveToken, solUsd: number | null): boolean {
  if (live.record.reported == null) return false;
  let changed = false;
  // A price in dollars that no rate makes one in SOL is not known, and takes nothing away.
  const price = appliedReport(live, 'price') === null ? null : reportedPrice(live.record, solUsd);
  if (price !== null) changed = set(live, 'price', price);
  const liquidity = appliedReport(live, 'liquidityLamports');
  if (liquidity !== null && set(live, 'liquidityLamports', liquidity.value)) changed = true;
  const holders = appliedReport(live, 'holderCount');
  if (holders !== null && set(live, 'holderCount', holders.value)) changed = true;
  return changed;
}

function volumeNow(live: LiveToken, solUsd: number | null, now: number): number | null {
  const word = appliedReport(live, 'volumeUsd');
  const { complete, buys, sells, volumeByHour } = live.record;
  // That no trade was heard of a token which only a data service knows does not mean that there was none.
  const counted = complete || buys + sells > 0 ? volumeUsd(volumeByHour, solUsd) : null;
  // Where only some of the trades were heard, whoever counted more knows better.
  if (word === null || (counted !== null && now - word.at > DAY)) return counted;
  return complete || counted === null ? word.value : Math.max(word.value, counted);
}

/** Counts the holders, and makes the score if it is time. True when something changed. */
export function rescore(live: LiveToken, now: number): boolean {
  const counted = live.book !== null && set(live, 'holderCount', live.book.holders());
  const scored = makeScore(live, now);
  return counted || scored;
}

function makeScore(live: LiveToken, now: number): boolean {
  if (now - live.scoredAt < SCORE_EVERY) {
    live.scoreDue = true;
    return false;
  }
  live.scoredAt = now;
  refreshFacts(live, now);
  copyHolders(live, now);
  if (!live.scoreDue) return false;
  live.scoreDue = false;
  const { facts, stage } = live.record;
  const { score, coverage } = riskScore(facts, { stage });
  const scoreChanged = set(live, 'riskScore', score);
  const coverageChanged = set(live, 'riskCoverage', coverage);
  return scoreChanged || coverageChanged || live.factsChanged;
}

function copyHolders(live: LiveToken, now: number): void {
  if (live.book === null || now - live.holdersAt < HOLDERS_EVERY) return;
  live.holdersAt = now;
  set(live, 'topHolders', [...live.book.top()]);
}

/** Makes the growth score, if it is time. True when it changed. */
export function regrow(live: LiveToken, now: number): boolean {
  if (now - live.grownAt < GROWTH_EVERY) return false;
  live.grownAt = now;
  const { record } = live;
  return set(
    live,
    'growthScore',
    growthScore(live.momentum.read(now, record.price, record.complete ? record.holderCount : null)),
  );
}

/** A list that a token entered or left. */
export interface ListChange {
  live: LiveToken;
  list: 'runner' | 'might-run';
  active: boolean;
}

/** Decides which lists the token is in. Time alone may change that. */
export function classify(live: LiveToken, now: number): ListChange[] {
  const { record } = live;
  const changes: ListChange[] = [];
  const runner = isRunner(record, now);
  if (set(live, 'runner', runner)) changes.push({ live, list: 'runner', active: runner });
  const mightRun = isMightRun(record, now);
  if (set(live, 'mightRun', mightRun)) changes.push({ live, list: 'might-run', active: mightRun });
  return changes;
}
