import type { Reason } from '../../../../common/trading/reasons.ts';
import { TokenFigures } from '../book/book.ts';
import type { CoreFacts, CorePrice, CoreToken } from '../model.ts';
import type { ActivePlan } from './plans.ts';

/** Tokens in memory. */
export const TOKENS_MAX = 20_000;

/** Figures of refused pairs of a token from which on one of them could be bought. */
export interface Gates {
  /** SOL; Infinity without a pair that waits for it, as the third. */
  liquidity: number;
  /** Percent; −1 without. */
  risk: number;
  /** Quote side of the virtual reserves, lamports. */
  depth: number;
}

/** The present answer of a plan. */
export interface Noted {
  /** State of the pair before. */
  before: number;
  /** Null: bought, or about to be. */
  reason: Reason | null;
  at: number;
  wasMet?: boolean;
  isFinal?: boolean;
}

/** The last answer of a step to a pair. */
export interface StepAnswer extends Required<Noted> {
  active: ActivePlan;
  token: TrackedToken;
  /** Figures of the token that it is based on. */
  pushes: number;
}

/** A token that plans may consider. */
export class TrackedToken {
  readonly address: string;
  readonly detectedAt: number;
  readonly launchpad: string | null;
  readonly figures: TokenFigures;
  symbol: string | null;
  source: string;
  /** Time of the newest figures, epoch ms. */
  lastAt: number;
  price: CorePrice | null = null;
  facts: CoreFacts | null = null;
  /** When its windows were filled from stored figures, epoch ms; null: never. */
  resumedAt: number | null = null;
  /** Whether every plan that considers it was asked since the last change of plans. */
  isAdmitted: boolean = false;
  isGone: boolean = false;
  /** Answers of the present step by slot; null without one. */
  noted: Map<number, StepAnswer> | null = null;
  /** How often its figures were set. */
  pushes = 0;
  /** Refused pairs are reported again with the first figures from then on, epoch ms. */
  repeatAt = 0;
  /** State for each plan, by slot; see pairs.ts. Missing ones are 0. */
  states = new Uint8Array(0);
  /** Pairs by what they wait for: its own figures or source, the user's account, an order. */
  readonly pairs = { byToken: 0, byUser: 0, ordered: 0 };
  /** Inputs of guards that are known or not, at the last look at these pairs. */
  inputs = 0;
  gates: Gates = noGates();

  constructor({ address, symbol, detectedAt, launchpad, source }: CoreToken) {
    this.address = address;
    this.symbol = symbol;
    this.launchpad = launchpad;
    this.detectedAt = detectedAt;
    this.source = source;
    this.lastAt = detectedAt;
    this.figures = new TokenFigures(detectedAt);
  }
}

export function noGates(): Gates {
  return { liquidity: Number.POSITIVE_INFINITY, risk: -1, depth: Number.POSITIVE_INFINITY };
}

/** Tokens in memory, also in the order of their detection. */
export interface Tokens {
  readonly list: readonly TrackedToken[];
  get(address: string): TrackedToken | undefined;
  add(token: CoreToken): TrackedToken;
  remove(token: TrackedToken): void;
  /** Returns the index in `list` of the first token detected at or after `at`. */
  since(at: number): number;
}

export function createTokens(): Tokens {
  const byAddress = new Map<string, TrackedToken>();
  const list: TrackedToken[] = [];

  /** Returns the index of the first token detected at or after `at`. */
  function since(at: number): number {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((list[middle]?.detectedAt ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    list,
    since,
    get: (address) => byAddress.get(address),
    add(detected) {
      const token = new TrackedToken(detected);
      byAddress.set(token.address, token);
      // After those of the same time.
      list.splice(since(token.detectedAt + 1), 0, token);
      return token;
    },
    remove(token) {
      token.isGone = true;
      byAddress.delete(token.address);
      const index = list.indexOf(token, since(token.detectedAt));
      if (index >= 0) list.splice(index, 1);
    },
  };
}
