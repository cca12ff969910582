/**
 * Time on the chain. Slot and blockhash follow from the wall clock and a secret, so neither is stored: after a kill the
 * chain continues where it would be, and blockhashes it gave out stay valid.
 */
import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import type { SlotBase } from '../storage/records.ts';

/** The slot of height 1: the first one of the engine's clock. */
const FIRST_SLOT = 440_208_000;
/** The first slot of a new chain: late enough for it to have the same number of blockhashes as any other. */
export const OPENING_SLOT = FIRST_SLOT + 100_000;
export const SLOTS_PER_EPOCH = 432_000;
/** A blockhash is valid for 150 blocks on every cluster … */
const SHORTEST_WINDOW = 150;
/** … and for a minute even where slots are shorter than 400 ms: web3.js reuses one for 30 s. */
const SHORTEST_WINDOW_MS = 60_000;

export type Slots = ReturnType<typeof createSlots>;

const slotAt = (base: SlotBase, nowMs: number): number =>
  base.slot + Math.max(0, Math.floor((nowMs - base.atMs) / base.slotMs));

/** Returns the base from which slots continue at a start: never at or before `lastSlot`, even if the clock was set back. */
export function continuedBase(base: SlotBase, lastSlot: number, slotMs: number, nowMs: number): SlotBase {
  const slot = slotAt(base, nowMs);
  if (slot > lastSlot && base.slotMs === slotMs) return base;
  return { slot: Math.max(slot, lastSlot + 1), atMs: nowMs, slotMs };
}

/** Creates the slots from a base. `seed` is the secret from which all blockhashes can be computed. */
export function createSlots({ base: opening, seed, nowMs }: { base: SlotBase; seed: Buffer; nowMs: number }) {
  let base = opening;
  const window = Math.max(SHORTEST_WINDOW, Math.ceil(SHORTEST_WINDOW_MS / base.slotMs));
  /** Heights of the valid blockhashes, oldest first. */
  const heights = new Map<string, number>();
  let slot = 0;
  let newest = '';

  const startOf = (which: number): number => base.atMs + (which - base.slot) * base.slotMs;
  const heightOf = (which: number): number => which - FIRST_SLOT + 1;
  const hashAt = (height: number): string =>
    bs58.encode(createHash('sha256').update(seed).update(String(height)).digest());

  const advance = (now: number): boolean => {
    // After the clock was set back, time continues from here; otherwise nothing would be confirmed until it caught up.
    if (now < startOf(slot)) base = { slot, atMs: now, slotMs: base.slotMs };
    const next = slotAt(base, now);
    if (next <= slot) return false;
    const last = heightOf(next);
    for (let height = Math.max(heightOf(slot) + 1, last - window + 1, 1); height <= last; height++) {
      newest = hashAt(height);
      heights.set(newest, height);
    }
    for (const [hash, height] of heights) {
      if (height > last - window) break;
      heights.delete(hash);
    }
    slot = next;
    return true;
  };
  advance(nowMs);

  return {
    /** Number of slots for which a blockhash is valid. */
    window,
    /** Moves to the slot of `now`, never back. Returns whether the slot changed. */
    advance,
    /** Returns the time until the next slot, ms. */
    untilNext: (now: number): number => Math.min(base.slotMs, Math.max(1, startOf(slot + 1) - now)),
    /** Returns the length of a slot, ms. */
    slotMs: (): number => base.slotMs,
    slot: (): number => slot,
    height: (): number => heightOf(slot),
    /** Returns the valid blockhashes, newest first. */
    blockhashes: (): string[] => [...heights.keys()].reverse(),
    newest: (): string => newest,
    /** Returns the height when a blockhash was the newest; undefined when it is not valid. */
    heightOfHash: (hash: string): number | undefined => heights.get(hash),
    /** Returns the start of a slot in seconds since 1970. */
    timeOf: (which: number): number => Math.floor(startOf(which) / 1000),
  };
}
