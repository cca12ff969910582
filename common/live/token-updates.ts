import { z } from 'zod';
import { type NumberedPatch, type patchableFields, tokenPatchSchema } from '../tokens/model.ts';

const seq = z.int().min(1);
const at = z.int();
const solUsd = z.number().positive().nullable();

/**
 * Changed tokens, with named fields. `at`: the `lastUpdated` of every token in it, epoch ms. `solUsd`: dollars for 1 SOL, null
 * when unknown. A patch with a `price` and without a `marketCap` implies the market cap price × supply × `solUsd`
 * (tokens/market-cap.ts).
 */
export const tokenUpdatesSchema = z.strictObject({ seq, at, solUsd, patches: z.array(tokenPatchSchema) });

/** The event with tokens named by number alone. */
export type NumberedUpdates = Omit<z.infer<typeof tokenUpdatesSchema>, 'patches'> & { patches: NumberedPatch[] };

type PatchableField = (typeof patchableFields)[number];

/**
 * The fields in the order of their bits, from 1, 2, 4 on; the most frequent first, so that masks are short. A new field goes
 * to the end; another order needs another protocol version.
 */
export const bitFields = [
  'price',
  'currentLiquidity',
  'volume',
  'holderCount',
  'curveProgress',
  'buys',
  'sells',
  'growthScore',
  'scamProbability',
  'riskCoverage',
  'riskReason',
  'marketCap',
  'runner',
  'mightRun',
  'stage',
  'initialLiquidity',
  'name',
  'symbol',
  'copyOf',
  'decimals',
  'totalSupply',
  'creatorAddress',
  'createdAt',
  'metadata',
  'highestPrice',
  'developerShare',
  'insiderShare',
  'bundleShare',
  'topTenShare',
  'developerLaunches',
  'twins',
  'migratedAt',
] as const satisfies readonly PatchableField[];

/** A patch: number and version of its token, the bits of its fields, and their values in the order of the bits. */
const patchArraySchema = z.tuple([seq, seq, z.int().min(1)], z.json());
/** The same event as arrays: `[seq, at, solUsd, patches]`, each patch `[number, version, bits, ...values]`. */
export const tokenUpdateArraysSchema = z.tuple([seq, at, solUsd, z.array(patchArraySchema)]);
export type TokenUpdateArrays = z.infer<typeof tokenUpdateArraysSchema>;

/** Returns the event as arrays. A field with the value undefined counts as absent. */
export function encodeUpdates({ seq, at, solUsd, patches }: NumberedUpdates): TokenUpdateArrays {
  return [seq, at, solUsd, encodePatches(patches)];
}

/** Returns the event with named fields. Trusts its input; bits without a field, of a later version, are left out. */
export function decodeUpdates([seq, at, solUsd, patches]: TokenUpdateArrays): NumberedUpdates {
  return { seq, at, solUsd, patches: decodePatches(patches) };
}

/** Returns whether the payload of a `token-updates` event is of arrays. */
export function isUpdateArrays(payload: unknown): payload is TokenUpdateArrays {
  return Array.isArray(payload);
}

export type PatchArray = TokenUpdateArrays[3][number];

/** Returns patches as arrays. */
export function encodePatches(patches: readonly NumberedPatch[]): PatchArray[] {
  return patches.map(encodePatch);
}

/** Returns patches with named fields. */
export function decodePatches(patches: readonly PatchArray[]): NumberedPatch[] {
  return patches.map(decodePatch);
}

function encodePatch(patch: NumberedPatch): PatchArray {
  const encoded: PatchArray = [patch.number, patch.version, 0];
  let bit = 1;
  for (const field of bitFields) {
    const value = patch[field];
    if (value !== undefined) {
      // Not `|=`, which makes the highest bit negative.
      encoded[2] += bit;
      encoded.push(value);
    }
    bit *= 2;
  }
  return encoded;
}

function decodePatch([number, version, bits, ...values]: PatchArray): NumberedPatch {
  const patch: NumberedPatch = { number, version };
  let bit = 1;
  let next = 0;
  for (const field of bitFields) {
    if (bits & bit) {
      // The value of a field has its type: the server's tests check both schemas.
      Reflect.set(patch, field, values[next]);
      next += 1;
    }
    bit *= 2;
  }
  return patch;
}
