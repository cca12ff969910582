import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { crowdTrade } from '../../../api/launchpad/instructions.ts';
import { migrateInstructions, type PoolSwap, poolSwapInstruction } from '../../../api/launchpad/pool.ts';
import { FEE_RECIPIENT } from './launchpad.ts';
import { codeOf, createLaunchpadChain, graduated, listedWithTrader, newMint } from './testing/launchpad-chain.ts';

describe('refusals of trades in a pool', () => {
  const chain = createLaunchpadChain();
  const feeRecipient = new PublicKey(FEE_RECIPIENT);
  const { coin, user } = graduated(chain);
  const other = graduated(chain);
  const stranger = Keypair.generate().publicKey;
  const held = (): bigint => chain.tokens(user.publicKey, coin.mint);
  const swap = (change: Partial<PoolSwap> = {}): TransactionInstruction =>
    poolSwapInstruction({
      ...{ mint: coin.mint, creator: coin.creator, user: user.publicKey, feeRecipient },
      ...{ side: 'buy', amountIn: 10_000_000n, leastOut: 1n },
      ...change,
    });
  const sale = (amountIn: bigint, leastOut = 0n) => swap({ side: 'sell', amountIn, leastOut });
  const names = [
    'global',
    'mint',
    'curve',
    'token program',
    'pool',
    'vault',
    'user',
    'tokens',
    'fee',
    'creator',
    'system',
  ];
  const withAccount = (name: string, pubkey: PublicKey) => {
    const made = swap();
    const key = made.keys[names.indexOf(name)] ?? expect.fail();
    key.pubkey = pubkey;
    return made;
  };
  const ofOther = (name: string) => {
    const { mint, creator } = other.coin;
    return swap({ mint, creator }).keys[names.indexOf(name)]?.pubkey ?? expect.fail();
  };
  const refusal = (instruction: TransactionInstruction) => codeOf(chain.send([user], [instruction]).err);

  test.each<[what: string, code: string, make: () => TransactionInstruction]>([
    ['fewer tokens than the least', '6004', () => swap({ leastOut: 10n ** 15n })],
    ['less SOL than the least', '6004', () => sale(held(), 10n ** 12n)],
    ['a sale whose fees exceed it', '6004', () => sale(5_000n)],
    ['a purchase for nothing', '6020', () => swap({ amountIn: 1n, leastOut: 0n })],
    ['a sale of nothing', '6022', () => sale(0n)],
    ['a sale for nothing', '6022', () => sale(1n)],
    ['a sale of more than there is', '6023', () => sale(10n ** 16n)],
    ['a sale of more than the wallet has', '1', () => sale(held() + 1n)],
    ['a purchase for more than the wallet has', '1', () => swap({ amountIn: 6_000n * 10n ** 9n })],
    ['an amount beyond all numbers', '6024', () => swap({ amountIn: 2n ** 64n - 1n })],
    ['the pool of another coin', '2006', () => withAccount('pool', ofOther('pool'))],
    ['the vault of another coin', '2006', () => withAccount('vault', ofOther('vault'))],
    ['the curve of another coin', '2006', () => withAccount('curve', ofOther('curve'))],
    ['the mint of another coin', '2006', () => withAccount('mint', other.coin.mint)],
    ['another creator', '2006', () => swap({ creator: stranger })],
    ['another token program', '2012', () => withAccount('token program', stranger)],
    ['another system program', '2012', () => withAccount('system', stranger)],
    ['a pool that does not exist', '3012', () => withAccount('pool', stranger)],
    ['a stranger as fee recipient', '6000', () => swap({ feeRecipient: stranger })],
  ])('%s: %s', (_what, code, make) => {
    expect(refusal(make())).toBe(code);
  });

  test('a coin on its curve', () => {
    const { coin: onCurve, user: wallet } = listedWithTrader(chain, {});
    const { mint, creator } = onCurve;
    expect(codeOf(chain.send([wallet], [swap({ mint, creator, user: wallet.publicKey })]).err)).toBe('3012');
  });

  test('a user who does not sign, cut arguments, a missing account, and an account that is not writable', () => {
    const changed = (change: (made: TransactionInstruction) => void) => {
      const made = swap();
      change(made);
      return made;
    };
    const unsigned = changed(({ keys }) => {
      const key = keys[names.indexOf('user')] ?? expect.fail();
      key.isSigner = false;
    });
    expect(codeOf(chain.send([other.user], [unsigned]).err)).toBe('3010');
    const cut = changed((made) => {
      made.data = made.data.subarray(0, 24);
    });
    expect(refusal(cut)).toBe('102');
    expect(refusal(changed(({ keys }) => void keys.pop()))).toBe('3005');
    const readonly = changed(({ keys }) => {
      const key = keys[names.indexOf('pool')] ?? expect.fail();
      key.isWritable = false;
    });
    expect(refusal(readonly)).toBe('2000');
  });

  test.each(names)('another account as %s', (name) => {
    const made = withAccount(name, name === 'user' ? other.user.publicKey : stranger);
    expect(chain.send([name === 'user' ? other.user : user], [made]).err).not.toBeNull();
  });

  test('a trade of the crowd by another key, and a migration as one', () => {
    expect(refusal(crowdTrade(swap(), stranger))).toBe('6000');
    const migrate = migrateInstructions(newMint().mint, chain.key.publicKey).at(-1) ?? expect.fail();
    expect(codeOf(chain.send([chain.key], [crowdTrade(migrate, stranger)]).err)).toBe('101');
  });
});
