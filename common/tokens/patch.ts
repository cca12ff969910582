import { marketCapOf } from './market-cap.ts';
import { type NumberedPatch, patchableFields, type Token, type TokenMetadata, type TokenPatch } from './model.ts';

/**
 * Returns the fields that differ, with the newer version; null when none does. The market cap is left out where it follows
 * from a new price at the rate `solUsd` of the event: it is an eighth of a trade's patch.
 */
export function diffToken(before: Token, after: Token, solUsd: number | null): TokenPatch | null {
  const patch: TokenPatch = { address: after.address, number: after.number, version: after.version };
  let changed = false;
  for (const field of patchableFields) {
    if (same(field, before, after)) continue;
    take(patch, field, after);
    changed = true;
  }
  if (!changed) return null;
  if (patch.price === undefined) {
    // Merged with the patch of an earlier price, whose market cap follows from the former supply, it would change that.
    if (patch.totalSupply !== undefined) patch.marketCap = after.marketCap;
    return patch;
  }
  // A market cap that does not follow is included even when unchanged, since the receiver would compute another one.
  if (Object.is(after.marketCap, marketCapOf(after, solUsd))) delete patch.marketCap;
  else patch.marketCap = after.marketCap;
  return patch;
}

/**
 * Returns the token after the patch. A patch of the same or an older version changes nothing and returns the same object (F5).
 * `at` is the time of the change, epoch ms, `solUsd` the rate, both from the event.
 */
export function applyPatch(token: Token, patch: NumberedPatch, { at, solUsd }: PatchContext): Token {
  if (patch.number !== token.number || patch.version <= token.version) return token;
  const after: Token = { ...token, version: patch.version, lastUpdated: new Date(at).toISOString() };
  for (const field of patchableFields) put(after, field, patch);
  if (patch.price !== undefined && patch.marketCap === undefined) after.marketCap = marketCapOf(after, solUsd);
  return after;
}

/** Data of an event that applies to all its patches. */
export interface PatchContext {
  at: number;
  solUsd: number | null;
}

type PatchableField = (typeof patchableFields)[number];

function take<Field extends PatchableField>(patch: Pick<TokenPatch, Field>, field: Field, from: Token): void {
  patch[field] = from[field];
}

function put<Field extends PatchableField>(
  token: Pick<Token, Field>,
  field: Field,
  from: { [Name in Field]?: Token[Name] | undefined },
): void {
  // A field with the value undefined counts as absent.
  const value = from[field];
  if (value !== undefined) token[field] = value;
}

function same(field: PatchableField, before: Token, after: Token): boolean {
  if (field === 'metadata') return sameMetadata(before.metadata, after.metadata);
  return Object.is(before[field], after[field]);
}

function sameMetadata(before: TokenMetadata, after: TokenMetadata): boolean {
  return (
    before.source === after.source &&
    before.detectedBy === after.detectedBy &&
    before.cluster === after.cluster &&
    before.uri === after.uri &&
    before.quote === after.quote
  );
}
