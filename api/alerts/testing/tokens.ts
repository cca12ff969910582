import type { Token, TokenPatch } from '../../../common/tokens/model.ts';
import type { FeedEntry } from '../../../realtime/feed-log/feed-log.ts';
import { tokenRecord } from '../../testing/tokens.ts';
import { presentToken } from '../../tokens/present.ts';

/** A token detected at `at`, as the feed tells it: risk 10, liquidity 2 SOL, unless told otherwise. */
export function feedToken(number: number, at: number, fields: Partial<Token> = {}): Token {
  const token = presentToken(tokenRecord(number, { createdAt: at, riskScore: 10 }));
  return { ...token, ...fields };
}

let seq = 0;

export function newToken(token: Token): FeedEntry {
  seq += 1;
  return { seq, event: 'new-token', payload: { seq, token } };
}

/** `version` follows the time, so that a later patch counts. */
export function update(at: number, ...patches: Omit<TokenPatch, 'version'>[]): FeedEntry {
  seq += 1;
  const versioned = patches.map((patch) => ({ ...patch, version: seq + 1 }));
  return { seq, event: 'token-updates', payload: { seq, at, solUsd: null, patches: versioned } };
}

/** The same figures with every run, in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
