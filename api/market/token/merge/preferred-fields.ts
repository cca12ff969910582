import type { Fact, RiskFacts } from '../../../../common/tokens/risk/score.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { type LiveToken, set, setFact } from '../state/live-token.ts';
import { isBetter, isChain, type Provenance, type RankedField } from './precedence.ts';

/** Value of `launchpad` until a source names one. */
export const UNKNOWN_LAUNCHPAD = 'unknown';

/** Sets a field when its source takes precedence over the present one, or is the same and not older (precedence.ts). */
export function prefer<Field extends keyof TokenRecord & RankedField>(
  live: LiveToken,
  field: Field,
  value: TokenRecord[Field],
  from: Provenance,
): boolean {
  // An unknown value never replaces a known one.
  if (value === null) return false;
  const known = sourceOf(live, field);
  if (known && live.record[field] !== null && !isBetter(field, from, known)) return false;
  recordSource(live, field, from);
  return set(live, field, value);
}

/**
 * Sets a field that a fresh record has from its first observation. A chain event carries all three, and its source is not
 * recorded; a value that a data service left open was assumed, and any source replaces it.
 */
export function preferOrigin<Field extends 'launchpad' | 'quote' | 'cluster'>(
  live: LiveToken,
  field: Field,
  value: TokenRecord[Field] | undefined,
  from: Provenance,
): boolean {
  const { record } = live;
  if (value == null || value === UNKNOWN_LAUNCHPAD) return false;
  const recorded = sourceOf(live, field);
  const isFromChain = isChain(record.detectedBy);
  const known = recorded ?? (isFromChain ? { source: record.detectedBy, at: Number.NEGATIVE_INFINITY } : undefined);
  if (known !== undefined && !isBetter(field, from, known)) return false;
  if (recorded !== undefined || from.source !== record.detectedBy || !isFromChain) recordSource(live, field, from);
  return set(live, field, value);
}

/** Sets a fact by the same rule as `prefer`. */
export function preferFact<Key extends keyof RiskFacts & RankedField>(
  live: LiveToken,
  key: Key,
  fact: NonNullable<RiskFacts[Key]>,
  from: Provenance,
): boolean {
  const known = live.record.facts[key];
  if (known !== null) {
    // Facts without a recorded source come from an account or from the chain.
    const recorded = sourceOf(live, key) ?? { source: known.source.startsWith('rpc') ? 'rpc' : 'solana', at: known.at };
    if (!isBetter(key, from, recorded)) return false;
    // Replaced also at the same value, so that the preferred source becomes the evidence.
    if (recorded.source !== from.source) live.record.facts[key] = null;
  }
  recordSource(live, key, from);
  return setFact(live, key, fact);
}

type ShareKey = 'topTen' | 'largestWallet' | 'creatorHeld';

/**
 * Sets a reported share to the highest of all reports: a holder that sells lowers the share, and no sale may lower the score. A share
 * that `mayFall` follows the preferred report instead.
 */
export function preferHighest(
  live: LiveToken,
  key: ShareKey,
  fact: Fact<number>,
  from: Provenance & { mayFall: boolean },
): boolean {
  const known = live.record.facts[key];
  if (known === null || from.mayFall || fact.value === known.value) return preferFact(live, key, fact, from);
  if (fact.value < known.value) return false;
  recordSource(live, key, from);
  return setFact(live, key, fact);
}

export function sourceOf(live: LiveToken, field: string): Provenance | undefined {
  return live.record.fieldSources[field];
}

export function recordSource(live: LiveToken, field: string, { source, at }: Provenance): void {
  live.record.fieldSources[field] = { source, at };
  live.dirty.add(`fieldSources.${field}`);
}
