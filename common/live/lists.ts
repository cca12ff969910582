import { z } from 'zod';
import { type ListChoice, listChoiceSchema } from '../tokens/http.ts';
import type { NumberedPatch } from '../tokens/model.ts';
import { tokenSchema } from '../tokens/model.ts';
import { decodePatches, encodePatches, type PatchArray, tokenUpdatesSchema } from './token-updates.ts';

/** Longest name of a list, characters. */
const LIST_NAME_MAX = 1_000;

/** The choices that decide which tokens a list has; its order is the reader's. */
const membersSchema = listChoiceSchema.omit({ sort: true, order: true });
type Members = z.infer<typeof membersSchema>;
const memberKeys = membersSchema.keyof().options;

/** Name of the list that a choice makes: its limits as a query string in a fixed order, so that equal choices share one list. */
const listNameSchema = z.string().min(1).max(LIST_NAME_MAX);

/** Returns the name of the list of a choice; empty for all tokens. */
export function listNameOf(choice: ListChoice): string {
  return memberKeys
    .flatMap((key) => {
      const value = choice[key];
      return value === undefined ? [] : `${key}=${encodeURIComponent(value)}`;
    })
    .join('&');
}

/** Returns the choice that a name stands for; null for a text that is no such name. */
export function choiceOfList(name: string): Members | null {
  const choice = membersSchema.safeParse(Object.fromEntries(name.split('&').map(decoded)));
  return choice.success && name !== '' && listNameOf(choice.data) === name ? choice.data : null;
}

function decoded(part: string): [string, string] {
  const at = part.indexOf('=');
  try {
    return [part.slice(0, at), decodeURIComponent(part.slice(at + 1))];
  } catch {
    return [part, part];
  }
}

const seq = z.int().min(0);

/**
 * What changed in a filtered list: the events of the feed after `from` up to and with `to`, also where none concerns it.
 * A reader whose position is not `from` has missed something and fetches the list again. With `from` equal to `to` it is what
 * time alone changed. A new reader subscribes, then fetches the list, and drops the events whose `to` is below the position of the
 * response. One that ends at it is applied: the index may have changed after the response was made.
 */
export const listUpdatesSchema = z.strictObject({
  list: listNameSchema,
  epoch: z.string(),
  from: seq,
  to: seq,
  ...tokenUpdatesSchema.pick({ at: true, solUsd: true }).shape,
  /** Changes of tokens that are in the list before and after. */
  patches: tokenUpdatesSchema.shape.patches,
  /** Tokens that began to match, complete. */
  entered: z.array(tokenSchema),
  /** Numbers of the tokens that no longer match, or were removed. */
  left: z.array(tokenSchema.shape.number),
  /** Number of tokens in the list. */
  total: z.int(),
});
export type ListUpdates = z.infer<typeof listUpdatesSchema>;

/** The event with its patches as arrays, for readers of arrays. */
type ListUpdateArrays = Omit<ListUpdates, 'patches'> & { patches: PatchArray[] };
/** The event with tokens of patches named by number alone. */
export type NumberedListUpdates = Omit<ListUpdates, 'patches'> & { patches: NumberedPatch[] };

/** Returns the event with its patches as arrays. */
export function encodeListUpdates(updates: NumberedListUpdates): ListUpdateArrays {
  return { ...updates, patches: encodePatches(updates.patches) };
}

/** Returns whether an event has its patches as arrays; without patches both forms are the same. */
export function isListUpdateArrays(payload: unknown): payload is ListUpdateArrays {
  if (typeof payload !== 'object' || payload === null || !('patches' in payload)) return false;
  return Array.isArray(payload.patches) && Array.isArray(payload.patches[0]);
}

/** Returns the event with named fields. */
export function decodeListUpdates(updates: ListUpdateArrays): NumberedListUpdates {
  return { ...updates, patches: decodePatches(updates.patches) };
}
