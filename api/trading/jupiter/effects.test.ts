import { PublicKey, SystemProgram } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { type Reason, type ReasonCode, reason } from '../../../common/trading/reasons.ts';
import type { Account } from '../pump/curve-state.ts';
import { pumpAddresses } from '../pump/interface.ts';
import { type AllowedEffects, effectRefusal, type SimulatedAccount } from './effects.ts';
import { mint, other, tokenAccount, wallet, wrappedAccount } from './testing/mainnet-response.ts';

const tokenProgram = new PublicKey(pumpAddresses.quoteTokenProgram);
const RENT = 2_039_280;

interface TokenFields {
  owner?: PublicKey;
  delegate?: PublicKey;
  closeAuthority?: PublicKey;
  state?: number;
}

function tokens(amount: bigint, { owner = wallet, delegate, closeAuthority, state = 1 }: TokenFields = {}): Account {
  const data = Buffer.alloc(165);
  mint.toBuffer().copy(data, 0);
  owner.toBuffer().copy(data, 32);
  data.writeBigUInt64LE(amount, 64);
  for (const [key, at] of [
    [delegate, 72],
    [closeAuthority, 129],
  ] as const) {
    if (!key) continue;
    data.writeUInt32LE(1, at);
    key.toBuffer().copy(data, at + 4);
  }
  data.writeUInt8(state, 108);
  return { lamports: RENT, owner: tokenProgram, data };
}
const lamports = (amount: number): Account => ({
  lamports: amount,
  owner: SystemProgram.programId,
  data: Buffer.alloc(0),
});
const change = (address: PublicKey, before: Account, after: Account): SimulatedAccount => ({
  address: address.toBase58(),
  before,
  after,
});

const buying: AllowedEffects = {
  side: 'buy',
  wallet: wallet.toBase58(),
  tokenAccount: tokenAccount.toBase58(),
  sold: 0n,
  least: 500n,
  leastChange: -1_000n,
};
const selling: AllowedEffects = { ...buying, side: 'sell', sold: 500n, least: 1_000n, leastChange: 900n };

/** A purchase that is allowed. */
const paid = change(wallet, lamports(10_000), lamports(9_000));
const gained = change(tokenAccount, null, tokens(500n));
/** A sale that is allowed. */
const received = change(wallet, lamports(10_000), lamports(10_900));
const sold = change(tokenAccount, tokens(700n), tokens(200n));

describe('the effects of a transaction', () => {
  test('of a trade within its bounds are allowed, also where other accounts of others change', () => {
    const pool = change(other, tokens(9_000n, { owner: other }), tokens(1n, { owner: other }));
    expect(effectRefusal([paid, gained, pool], buying)).toBeNull();
    expect(effectRefusal([received, sold], selling)).toBeNull();
    // A sale of everything closes the account.
    const closed = change(tokenAccount, tokens(500n), null);
    expect(effectRefusal([received, closed], selling)).toBeNull();
  });

  const assigned: Account = { lamports: 9_000, owner: tokenProgram, data: Buffer.alloc(0) };
  const refused: [string, SimulatedAccount[], AllowedEffects, ReasonCode][] = [
    ['more SOL', [change(wallet, lamports(10_000), lamports(8_999)), gained], buying, 'route-overspends'],
    ['too few tokens', [paid, change(tokenAccount, tokens(7n), tokens(506n))], buying, 'route-shortfall'],
    ['no tokens', [paid], buying, 'route-shortfall'],
    ['too little SOL', [change(wallet, lamports(10_000), lamports(10_899)), sold], selling, 'route-shortfall'],
    ['more tokens', [received, change(tokenAccount, tokens(700n), tokens(199n))], selling, 'route-tokens'],
    ['all tokens by a closing', [received, change(tokenAccount, tokens(501n), null)], selling, 'route-tokens'],
    ['other tokens', [paid, gained, change(other, tokens(5n), tokens(4n))], buying, 'route-tokens'],
    [
      'an empty account of the wallet',
      [paid, gained, change(wrappedAccount, tokens(0n), null)],
      buying,
      'route-tokens',
    ],
    [
      'a delegate',
      [paid, change(tokenAccount, tokens(0n), tokens(500n, { delegate: other }))],
      buying,
      'route-authority',
    ],
    [
      'the right to close',
      [paid, change(tokenAccount, tokens(0n), tokens(500n, { closeAuthority: other }))],
      buying,
      'route-authority',
    ],
    ['the owner', [paid, gained, change(other, tokens(5n), tokens(5n, { owner: other }))], buying, 'route-authority'],
    ['the state', [paid, gained, change(other, tokens(5n), tokens(5n, { state: 2 }))], buying, 'route-authority'],
    [
      'a new account with a delegate',
      [paid, change(tokenAccount, null, tokens(500n, { delegate: other }))],
      buying,
      'route-authority',
    ],
    ['the wallet itself', [change(wallet, lamports(10_000), assigned), gained], buying, 'route-authority'],
    ['a wallet that is gone', [change(wallet, lamports(1_000), null), gained], buying, 'route-authority'],
  ];
  test.each(refused)('that concern %s are refused [T-46]', (_, accounts, allowed, code) => {
    expect(effectRefusal(accounts, allowed)?.code).toBe(code);
  });

  test('that cost too much are refused with both amounts', () => {
    expect(effectRefusal([change(wallet, lamports(10_000), lamports(5_000)), gained], buying)?.numbers).toEqual({
      spentLamports: 5_000,
      limitLamports: 1_000,
    });
  });

  const costly = change(wallet, lamports(10_000), lamports(9_000));
  const short: [string, SimulatedAccount[], AllowedEffects, Reason['numbers']][] = [
    ['a purchase', [paid, change(tokenAccount, tokens(7n), tokens(506n))], buying, { shortBps: 20 }],
    ['a purchase of nothing', [paid], buying, { shortBps: 10_000 }],
    ['a sale', [change(wallet, lamports(10_000), lamports(10_450)), sold], selling, { shortBps: 4_500 }],
    ['a sale that returns nothing', [costly, sold], selling, { shortBps: 10_000 }],
    ['a sale with costs above its return', [costly, sold], { ...selling, leastChange: -900n }, { shortBps: 1_000 }],
    ['a sale that may return nothing', [costly, sold], { ...selling, least: 0n, leastChange: -900n }, {}],
  ];
  test.each(short)(
    'of %s with too small a result are refused with the missing share',
    (_, accounts, allowed, numbers) => {
      expect(effectRefusal(accounts, allowed)).toEqual(reason('route-shortfall', numbers));
    },
  );
});
