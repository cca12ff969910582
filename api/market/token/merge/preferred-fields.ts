import type { RiskFacts } from '../../../../common/tokens/risk/score.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { type LiveToken, set, setFact } from '../state/live-token.ts';
import { isBetter, isChain, type Provenance, type RankedField } from './precedence.ts';

/** What `launchpad` says while no source has named one. */
export const UNKNOWN_LAUNCHPAD = 'unknown';

/** Sets a field when the source counts at least as much as the one before, and its word is not older (precedence.ts). */
export function prefer<Field extends keyof TokenRecord & RankedField>(
  live: LiveToken,
  field: Field,
  value: TokenRecord[Field],
  from: Provenance,
): boolean {
  // What a source does not know takes nothing away from what another one told.
  if (value === null) return false;
  const known = sourceOf(live, field);
  if (known && live.record[field] !== null && !isBetter(field, from, known)) return false;
  noteSource(live, field, from);
  return set(live, field, value);
}

/**
 * The same for what a fresh record has from the observation that began it. An event of the chain knows all three, and is
 * not noted; what a data service left open was made up, and gives way to whoever knows.
 */
export function preferOrigin<Field extends 'launchpad' | 'quote' | 'cluster'>(
  live: LiveToken,
  field: Field,
  value: TokenRecord[Field] | undefined,
  from: Provenance,
): boolean {
  const { record } = live;
  if (value == null || value === UNKNOWN_LAUNCHPAD) return false;
  const noted = sourceOf(live, field);
  const begunByChain = isChain(record.detectedBy);
  const known = noted ?? (begunByChain ? { source: record.detectedBy, at: Number.NEGATIVE_INFINITY } : undefined);
  if (known !== undefined && !isBetter(field, from, known)) return false;
  if (noted !== undefined || from.source !== record.detectedBy || !begunByChain) noteSource(live, field, from);
  return set(live, field, value);
}

/** The same for a fact. */
export function preferFact<Key extends keyof RiskFacts & RankedField>(
  live: LiveToken,
  key: Key,
  fact: NonNullable<RiskFacts[Key]>,
  from: Provenance,
): boolean {
  const known = live.record.facts[key];
  if (known !== null) {
    // Facts of records from before sources were noted are of an account or of the chain.
    const noted = sourceOf(live, key) ?? { source: known.source.startsWith('rpc') ? 'rpc' : 'solana', at: known.at };
    if (!isBetter(key, from, noted)) return false;
    // Also where it says the same, the better source is the evidence from now on.
    if (noted.source !== from.source) live.record.facts[key] = null;
  }
  noteSource(live, key, from);
  return setFact(live, key, fact);
}

export function sourceOf(live: LiveToken, field: string): Provenance | undefined {
  return live.record.fieldSources[field];
}

export function noteSource(live: LiveToken, field: string, { source, at }: Provenance): void {
  live.record.fieldSources[field] = { source, at };
  live.dirty.add(`fieldSources.${field}`);
}
