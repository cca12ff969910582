import { Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { crowdTrade, listInstruction, listingOf } from '../../../api/launchpad/instructions.ts';
import type { Reserves } from '../../../api/market/sources/observation.ts';
import { CURVE_START } from '../../../api/market/sources/simulator/coin/curve.ts';
import { buyExactQuoteIn, sellTokens } from '../../../api/trading/pump/instructions.ts';
import { tradeAccounts } from '../../../api/trading/pump/interface.ts';
import { dataLimit } from '../../../api/trading/pump/transaction.ts';
import { codeOf, createLaunchpadChain, listedWithTrader, newMint } from './testing/launchpad-chain.ts';

describe('refusals', () => {
  const chain = createLaunchpadChain();
  const { coin, user, trade } = listedWithTrader(chain, { sol: 50n });
  const other = listedWithTrader(chain, {});
  chain.send([user], [buyExactQuoteIn(trade, 1_000_000_000n, 1n)]);
  const buy = (): TransactionInstruction => buyExactQuoteIn(trade, 10_000_000n, 1n);
  const refusal = (instruction: TransactionInstruction) => codeOf(chain.send([user], [instruction]).err);
  const changed = (instruction: TransactionInstruction, change: (made: TransactionInstruction) => void) => {
    change(instruction);
    return instruction;
  };
  const indexOf = (name: string) => tradeAccounts.findIndex(([account]) => account === name);
  const withAccount = (name: string, pubkey: PublicKey) =>
    changed(buy(), ({ keys }) => {
      const key = keys[indexOf(name)] ?? expect.fail();
      key.pubkey = pubkey;
    });
  const foreign = (name: string) => buyExactQuoteIn(other.trade, 1n, 1n).keys[indexOf(name)]?.pubkey ?? expect.fail();
  const held = (): bigint => chain.tokens(user.publicKey, coin.mint);
  const stranger = Keypair.generate().publicKey;

  test.each<[what: string, code: string, make: () => TransactionInstruction]>([
    ['fewer tokens than the least', '6042', () => buyExactQuoteIn(trade, 10_000_000n, 10n ** 15n)],
    ['a purchase for nothing', '6020', () => buyExactQuoteIn(trade, 1n, 0n)],
    ['less SOL than the least', '6003', () => sellTokens(trade, held(), 10n ** 12n)],
    ['a sale of nothing', '6022', () => sellTokens(trade, 0n, 0n)],
    ['a sale of more than there is', '6023', () => sellTokens(trade, 10n ** 16n, 0n)],
    ['a sale of more than the wallet has', '1', () => sellTokens(trade, held() + 1n, 0n)],
    ['a purchase for more than the wallet has', '1', () => buyExactQuoteIn(trade, 60n * 10n ** 9n, 0n)],
    ['an amount beyond all numbers', '6024', () => buyExactQuoteIn(trade, 2n ** 64n - 1n, 0n)],
    ['the curve of another coin', '2006', () => withAccount('bonding_curve', foreign('bonding_curve'))],
    [
      'the vault of another coin',
      '2006',
      () => withAccount('associated_base_bonding_curve', foreign('associated_base_bonding_curve')),
    ],
    ['a curve that does not exist', '3012', () => withAccount('bonding_curve', stranger)],
    ['another quote', '6063', () => withAccount('quote_mint', stranger)],
    ['another token program of the quote', '6064', () => withAccount('quote_token_program', stranger)],
    [
      'a stranger as fee recipient',
      '6000',
      () => buyExactQuoteIn({ ...trade, feeRecipient: stranger.toBase58() }, 10_000_000n, 1n),
    ],
    [
      'a stranger as buyback recipient',
      '6057',
      () => buyExactQuoteIn({ ...trade, buybackRecipient: stranger.toBase58() }, 10_000_000n, 1n),
    ],
    ['an unknown instruction', '101', () => changed(buy(), ({ data }) => data.fill(0))],
    [
      'missing arguments',
      '102',
      () =>
        changed(buy(), (made) => {
          made.data = made.data.subarray(0, 16);
        }),
    ],
    ['missing accounts', '3005', () => changed(buy(), ({ keys }) => void keys.pop())],
  ])('%s: %s', (_what, code, make) => {
    expect(refusal(make())).toBe(code);
  });

  test('a user who does not sign', () => {
    const unsigned = changed(buy(), ({ keys }) => {
      const key = keys[indexOf('user')] ?? expect.fail();
      key.isSigner = false;
    });
    expect(codeOf(chain.send([other.user], [unsigned]).err)).toBe('3010');
  });

  test.each(tradeAccounts.map(([name]) => name))('another account as %s', (name) => {
    if (name === 'user')
      return expect(chain.send([other.user], [withAccount(name, other.user.publicKey)]).err).not.toBeNull();
    expect(chain.send([user], [withAccount(name, stranger)]).err).not.toBeNull();
  });

  test('a listing that is repeated, by another key, or with impossible reserves', () => {
    const list = (change: Partial<Reserves> = {}) =>
      listInstruction({ ...coin, reserves: { ...CURVE_START, ...change } }, chain.key.publicKey);
    expect(codeOf(chain.send([chain.key], [list()]).err)).toBe('6001');
    const thief = Keypair.generate();
    chain.fund(thief.publicKey, 10_000_000_000n);
    const stolen = { ...coin, ...newMint() };
    expect(codeOf(chain.send([thief, chain.base], listingOf(stolen, thief.publicKey)).err)).toBe('6000');
    const unsigned = list();
    for (const key of unsigned.keys) key.isSigner = false;
    expect(codeOf(chain.send([thief], [unsigned]).err)).toBe('3010');
    const reserves = { ...CURVE_START, virtualToken: CURVE_START.realToken };
    expect(codeOf(chain.list(reserves).err)).toBe('6012');
    expect(codeOf(chain.list({ ...CURVE_START, realToken: 800_000_000_000_000 }).err)).toBe('6011');
  });

  test('a trade of the crowd by another key, without its signature, cut short, nested, or beyond its tokens', () => {
    const { key } = chain;
    const sale = (account: typeof trade, tokens = 1_000_000n) => crowdTrade(sellTokens(account, tokens, 0n), stranger);
    expect(refusal(sale(trade))).toBe('6000');
    const ofKey = chain.tradeOf(coin, key.publicKey);
    const unsigned = changed(sale(ofKey), ({ keys }) => {
      const account = keys[indexOf('user')] ?? expect.fail();
      account.isSigner = false;
    });
    expect(refusal(unsigned)).toBe('3010');
    const crowdRefusal = (made: TransactionInstruction) => codeOf(chain.send([key], [made]).err);
    expect(crowdRefusal(sale(ofKey, chain.tokens(key.publicKey, coin.mint) + 1n))).toBe('1');
    expect(crowdRefusal(crowdTrade(sale(ofKey), stranger))).toBe('101');
    const short = changed(sale(ofKey), (made) => {
      made.data = made.data.subarray(0, 56);
    });
    expect(crowdRefusal(short)).toBe('102');
  });

  test.each([
    [16 * 1024 * 1024, null],
    [1_024, 'MaxLoadedAccountsDataSizeExceeded'],
  ])('a purchase that may load %d bytes of accounts ends with the error %j', (bytes, error) => {
    expect(chain.send([user], [dataLimit(bytes), buy()]).err).toEqual(error);
  });
});
