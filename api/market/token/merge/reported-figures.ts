import { HOUR, MINUTE } from '../../../../common/time.ts';
import { roundSignificant } from '../../../../common/tokens/units.ts';
import type { ReportedFigures, TokenRecord } from '../../../tokens/record.ts';
import type { Listing } from '../../sources/observation.ts';
import { AT_ONCE, type LiveToken, set } from '../state/live-token.ts';
import { isFresher, type Provenance } from './precedence.ts';

/** Figures computed from the chain that are older than a service's report by this, ms, are stale: the feed was interrupted. */
const CHAIN_FIGURES_LIFETIME = HOUR;
/**
 * A report older than this, ms, is no observation any more: a service is polled about a coin every 20 to 25 minutes
 * (polling/aggregator.ts).
 */
export const REPORT_LIFETIME = 30 * MINUTE;
/** Significant digits of a converted price; further digits come from the division. */
const PRICE_DIGITS = 12;

const noReports = (): ReportedFigures => ({
  price: null,
  liquidityLamports: null,
  marketCapUsd: null,
  volumeUsd: null,
  holderCount: null,
  creatorRugged: null,
});

/** Merges the figures of a listing by precedence. Returns true when one of them replaced the known report. */
export function mergeReportedFigures(live: LiveToken, listing: Listing, from: Provenance): boolean {
  const reported = { ...(live.record.reported ?? noReports()) };
  let changed = false;
  const take = <Key extends keyof ReportedFigures>(
    key: Key,
    value: NonNullable<ReportedFigures[Key]>['value'] | null | undefined,
  ) => {
    if (value == null) return;
    const known = reported[key];
    if (known !== null && !isFresher(key, from, known)) return;
    Object.assign(reported, { [key]: { value, at: from.at, source: from.source } });
    changed = true;
  };
  take('price', listing.price);
  take('liquidityLamports', listing.liquidityLamports);
  take('marketCapUsd', listing.marketCapUsd);
  take('volumeUsd', listing.volumeUsd);
  take('holderCount', listing.holderCount);
  take('creatorRugged', listing.facts?.creatorRugged);
  if (!changed) return false;
  live.due.values = AT_ONCE;
  live.due.score = AT_ONCE;
  return set(live, 'reported', reported);
}

/** Returns the report that currently applies; null where the chain's own figures take precedence, or without a report. */
export function appliedReport<Key extends keyof ReportedFigures>(
  live: LiveToken,
  key: Key,
): ReportedFigures[Key] | null {
  const figure = live.record.reported?.[key] ?? null;
  if (figure === null) return null;
  const { reserves, complete } = live.record;
  const lead = figure.at - live.reservesAt;
  // Nothing on the chain moves the figures of a pool that is not followed, so any newer report is the better one.
  const isChainStale = lead > CHAIN_FIGURES_LIFETIME || (lead > 0 && isPoolUnobserved(live));
  switch (key) {
    case 'price':
    case 'liquidityLamports':
      return reserves === null || isChainStale ? figure : null;
    case 'volumeUsd':
      // Without the creation only some of the trades were observed, see `currentVolume`.
      return !complete || isChainStale ? figure : null;
    case 'holderCount':
      return (complete || live.ledger !== null) && !(lead > 0 && isPoolUnobserved(live)) ? null : figure;
    default:
      return figure;
  }
}

/** Returns whether the coin trades in a pool whose trades are not observed: its own figures are those of the curve's end. */
export function isPoolUnobserved({ record }: LiveToken): boolean {
  return record.stage === 'pool' && record.reservesVenue !== 'pool';
}

/** Returns whether a figure describes the present: by observed trades, or by a recent report. */
export function isObserved(live: LiveToken, key: 'price' | 'liquidityLamports' | 'holderCount', now: number): boolean {
  const report = appliedReport(live, key);
  return report === null ? !isPoolUnobserved(live) : now - report.at <= REPORT_LIFETIME;
}

/** Returns the reported price in SOL for one whole token; null while a dollar price has no rate. */
export function reportedPrice(record: Pick<TokenRecord, 'reported'>, solUsd: number | null): number | null {
  const price = record.reported?.price?.value;
  if (price === undefined) return null;
  if (price.in === 'SOL') return price.amount;
  return solUsd === null ? null : roundSignificant(price.amount / solUsd, PRICE_DIGITS);
}
