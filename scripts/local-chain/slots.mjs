/**
 * Time on the chain. Slot and blockhash follow from the wall clock and a secret, so that neither has to be written
 * down: after a kill the chain goes on where it would be, and a blockhash that was given out is still known.
 */
import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** The slot of height 1: what the engine's clock begins with. */
export const FIRST_SLOT = 440_208_000;
/** Where a new chain begins: late enough for it to have as many blockhashes as any other. */
export const OPENING_SLOT = FIRST_SLOT + 100_000;
export const SLOTS_PER_EPOCH = 432_000;
/** A blockhash counts for 150 blocks on every cluster … */
const SHORTEST_WINDOW = 150;
/** … and, where slots are faster than 400 ms, for a minute all the same: web3.js reuses one for 30 s. */
const SHORTEST_WINDOW_MS = 60_000;

/**
 * @typedef {{ slot: number, atMs: number, slotMs: number }} SlotBase a slot, when it began, and how long each one is
 */

/** The slot at a moment. @param {SlotBase} base @param {number} nowMs */
export const slotAt = (base, nowMs) => base.slot + Math.max(0, Math.floor((nowMs - base.atMs) / base.slotMs));

/**
 * @param {{ base: SlotBase, seed: Buffer, nowMs: number }} options `seed`: whoever knows it knows every blockhash
 */
export function createSlots({ base: opening, seed, nowMs }) {
  let base = opening;
  const window = Math.max(SHORTEST_WINDOW, Math.ceil(SHORTEST_WINDOW_MS / base.slotMs));
  /** Blockhashes that count, with their heights, oldest first. @type {Map<string, number>} */
  const heights = new Map();
  let slot = 0;
  let newest = '';

  const startOf = (which) => base.atMs + (which - base.slot) * base.slotMs;
  const heightOf = (which) => which - FIRST_SLOT + 1;
  const hashAt = (height) => bs58.encode(createHash('sha256').update(seed).update(String(height)).digest());

  /** Goes on to the slot of this moment; never back. @returns {boolean} whether it moved */
  const advance = (now) => {
    // The clock was set back: time goes on from here, or nothing would be confirmed until it had caught up.
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
    window,
    advance,
    /** How long to wait for the next slot, ms. @param {number} now */
    untilNext: (now) => Math.min(base.slotMs, Math.max(1, startOf(slot + 1) - now)),
    slot: () => slot,
    height: () => heightOf(slot),
    /** The blockhashes that count, newest first. */
    blockhashes: () => [...heights.keys()].reverse(),
    newest: () => newest,
    /** The height at which it was the newest; undefined when it counts no more, or never did. @param {string} hash */
    heightOfHash: (hash) => heights.get(hash),
    /** Seconds since 1970. @param {number} which */
    timeOf: (which) => Math.floor(startOf(which) / 1000),
  };
}
