/** Length of a slot where that of the cluster is not known, ms: Solana's until August 2026, as in all earlier recordings. */
export const USUAL_SLOT_MS = 400;

/** Slots in a row that one validator leads. */
export const LEADER_SLOTS = 4;

/** Returns the number of slots that cover a time (ms), rounded up. `slotMs`: length of a slot; null when it is not known. */
export function slotsIn(ms: number, slotMs: number | null): number {
  return Math.ceil(ms / (slotMs ?? USUAL_SLOT_MS));
}
