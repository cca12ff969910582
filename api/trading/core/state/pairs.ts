import { type Reason, type ReasonCode, reasonCodes } from '../../../../common/trading/reasons.ts';
import type { TrackedToken } from './tokens.ts';

/**
 * A pair is a plan and a token that it considers. Its state is one byte: not met so far; met once, but not now; an order is on
 * its way; bought; had an order before, or one that bought nothing; else the reason by which a guard refused it.
 */
export const PAIR = { fresh: 0, waiting: 1, ordered: 2, bought: 3, tried: 4 } as const;
const FIRST_REASON = 5;

const stateNames: readonly string[] = ['fresh', 'waiting-again', 'ordered', 'bought', 'tried'];
const stateByCode = new Map<string, number>(reasonCodes.map((code, index) => [code, index + FIRST_REASON]));

/** Reasons that a change of the token's figures, facts or source can end. Others wait for a change of the user's account. */
const byToken: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'low-liquidity',
  'high-risk',
  'unknown-liquidity',
  'unknown-risk',
  'stale',
  'not-sol',
  'between-venues',
  'in-pool',
  'no-depth',
  'impact',
  'too-small',
]);

/** Reasons of the account's money and limits, which orders of the same user end and bring back. */
export const byMoney: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  ...(['per-trade', 'day-budget', 'open-positions', 'day-loss', 'stop-loss-guard', 'cooldown'] as const),
  ...(['balance', 'unknown-orders'] as const),
]);

/** Reasons that nothing ends. */
const final: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['too-late']);

type Waits = keyof TrackedToken['pairs'];

/** What a pair waits for, by its state. */
const waitsFor: (Waits | null)[] = Array.from({ length: 256 }, (_, state) => {
  const code = reasonCodes[state - FIRST_REASON];
  if (state === PAIR.ordered) return 'ordered';
  if (code === undefined || final.has(code)) return null;
  return byToken.has(code) ? 'byToken' : 'byUser';
});

export function stateOf(token: TrackedToken, slot: number): number {
  return token.states[slot] ?? PAIR.fresh;
}

/** Sets the state of a pair. `slots`: number of slots in use, by which the token's list grows. */
export function setState(token: TrackedToken, slot: number, state: number, slots: number): void {
  const before = stateOf(token, slot);
  if (before === state) return;
  if (slot >= token.states.length) {
    const states = new Uint8Array(Math.max(slots, slot + 1));
    states.set(token.states);
    token.states = states;
  }
  token.states[slot] = state;
  const [left, entered] = [waitsFor[before], waitsFor[state]];
  if (left) token.pairs[left] -= 1;
  if (entered) token.pairs[entered] += 1;
}

/** Returns the state of a refused pair. */
export function refusedBy({ code }: Pick<Reason, 'code'>): number {
  return stateByCode.get(code) ?? PAIR.waiting;
}

/** Returns whether the pair has had its order (R2). */
export function isDone(state: number): boolean {
  return state >= PAIR.ordered && state <= PAIR.tried;
}

/** Returns whether a guard refuses the pair. */
export function isRefused(state: number): boolean {
  return state >= FIRST_REASON;
}

/** Returns whether figures, facts or source of the token refuse the pair. */
export function isRefusedByToken(state: number): boolean {
  return waitsFor[state] === 'byToken';
}

/** Returns whether the user's account refuses the pair. */
export function isRefusedByUser(state: number): boolean {
  return waitsFor[state] === 'byUser';
}

/** Returns whether the account's money or one of its limits refuses the pair. */
export function isRefusedByMoney(state: number): boolean {
  return isOfMoney(codeOf(state));
}

/** Returns whether a reason is one of the account's money or limits. */
export function isOfMoney(code: ReasonCode | null): boolean {
  return code !== null && byMoney.has(code);
}

/** Returns whether the pair is refused for good. */
export function isFinal(state: number): boolean {
  const code = codeOf(state);
  return code !== null && final.has(code);
}

/** Returns the reason of a refused pair; null for other states. */
export function codeOf(state: number): ReasonCode | null {
  return reasonCodes[state - FIRST_REASON] ?? null;
}

/** Returns the reason that was reported for a pair last; null for none, or an order. */
export function reasonIn(state: number): ReasonCode | null {
  return state === PAIR.waiting ? 'waiting' : codeOf(state);
}

/** Returns the name of a state, which stays the same when reasons are added. */
export function stateName(state: number): string {
  return codeOf(state) ?? stateNames[state] ?? 'fresh';
}

/** Returns a state by its name; a fresh one for a name that is not known. */
export function stateNamed(name: string): number {
  return stateByCode.get(name) ?? Math.max(0, stateNames.indexOf(name));
}
