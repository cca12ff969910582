import type { FactsObservation } from '../../observation.ts';
import type { Dice } from '../random.ts';
import type { Coin } from './coin.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY } from './curve.ts';

/** Accounts in an RPC node's list of the largest. */
const LARGEST_HOLDERS = 20;

/** Estimates: share of failed readings, and share of coins with a dangerous trait. */
const UNREAD = { authorities: 0.06, extensions: 0.1, holders: 0.15, metadata: 0.1 } as const;
const DANGEROUS = {
  mintAuthority: 0.02,
  freezeAuthority: 0.015,
  extensions: 0.01,
  transferFee: 0.015,
  mutable: 0.2,
} as const;
const EXTENSIONS = ['permanentDelegate', 'transferHook', 'pausable', 'mintCloseAuthority'] as const;
const TRANSFER_FEES_BPS = [50, 100, 300, 500, 1_000] as const;

/** Returns a number in [0, 1) that is stable per coin, so that authorities do not change between two readings. */
function traitOf(coin: Coin, trait: string): number {
  let hash = 2_166_136_261;
  for (const letter of coin.address + trait) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
  // The low bits of this hash mix best.
  return ((hash ^ (hash >>> 15)) & 0xffff) / 0x10000;
}

function authority(coin: Coin, trait: 'mintAuthority' | 'freezeAuthority'): 'live' | 'revoked' {
  return traitOf(coin, trait) < DANGEROUS[trait] ? 'live' : 'revoked';
}

/** Returns the facts of a reading at `slot`; unreadable ones are omitted. */
export function readFacts(
  dice: Dice,
  coin: Coin,
  at: number,
  slot: number,
): Omit<FactsObservation, 'source' | 'receivedAt'> {
  const facts: FactsObservation['facts'] = {};
  if (!dice.chance(UNREAD.authorities)) {
    facts.decimals = TOKEN_DECIMALS;
    facts.totalSupply = String(TOTAL_SUPPLY);
    facts.mintAuthority = authority(coin, 'mintAuthority');
    facts.freezeAuthority = authority(coin, 'freezeAuthority');
  }
  if (!dice.chance(UNREAD.extensions)) {
    const extension = EXTENSIONS[Math.floor(traitOf(coin, 'which') * EXTENSIONS.length)];
    facts.extensions = traitOf(coin, 'extensions') < DANGEROUS.extensions && extension ? [extension] : [];
    const fee = TRANSFER_FEES_BPS[Math.floor(traitOf(coin, 'fee') * TRANSFER_FEES_BPS.length)];
    facts.transferFeeBps = traitOf(coin, 'transferFee') < DANGEROUS.transferFee && fee ? fee : 0;
  }
  if (coin.holdersKnown && !dice.chance(UNREAD.holders)) facts.largestHolders = coin.holders.largest(LARGEST_HOLDERS);
  if (!dice.chance(UNREAD.metadata)) facts.metadataMutable = traitOf(coin, 'mutable') < DANGEROUS.mutable;
  if (coin.lpLockedPercent !== null) facts.lpLockedPercent = coin.lpLockedPercent;
  return { kind: 'facts', at, address: coin.address, facts, slot };
}
