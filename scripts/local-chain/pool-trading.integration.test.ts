import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createPumpExecutor } from '../../api/trading/executors/pump-executor.ts';
import { createTradingNode } from '../../api/trading/executors/trading-node.ts';
import { simulateTrade } from '../../api/trading/jupiter/effects.ts';
import { tokenAccountOf } from '../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../api/trading/pump/interface.ts';
import { paidMessage, signedBytes } from '../../api/trading/pump/transaction.ts';
import { poolFeesAt, poolPurchase, totalPoolFee } from '../../common/tokens/pool-trades.ts';
import type { ReasonCode } from '../../common/trading/reasons.ts';
import type { Fault } from '../jupiter-emulator/emulator.ts';
import { approval, assignment, falsifications, ownerChange, thief } from '../jupiter-emulator/falsified.ts';
import { privateChain } from '../testing/private-services.ts';
import { listPooledCoin } from './program/testing/listed-coin.ts';
import { FEE, pay, SOL } from './testing/client.ts';
import { createTraders, createTrades, testOrders } from './testing/executor-trades.ts';
import { openPoolMarket } from './testing/pool-market.ts';

const ACCOUNT_RENT = 2_039_280;
/** Keeps an account without data. */
const RENT_OF_NOTHING = 890_880;
const TOKEN_PROGRAM = new PublicKey(pumpAddresses.quoteTokenProgram);
const noSwap = { inputMint: '', outputMint: '', amount: 0n, slippageBps: 0 };

const chain = await privateChain();
const node = createTradingNode({ url: chain.rpcUrl, cluster: 'local', random: Math.random });
const market = await openPoolMarket(chain);
const traders = createTraders(chain);
const { signer } = traders;
const curve = createPumpExecutor({ mode: 'local', cluster: 'local', node, signer, clock: Date });
const executor = market.executor(curve, signer);
const address = (await listPooledCoin(chain)).toBase58();
const { quoted, traded } = createTrades(executor);

afterEach(() => market.emulator.setFault(null));
afterAll(async () => {
  node.stop();
  await market.stop();
});

describe('an order for a coin in a pool', () => {
  test('buys, sells half, sells all, and its fills equal its quotes and the balance to the lamport [O7, T-09]', async () => {
    const { wallet, buy, sell, balance } = await traders.trader(address);
    const start = await balance();
    const { reserves } = await market.coin(address);
    const first = await traded(buy(SOL));
    const fees = poolFeesAt(reserves ?? expect.fail());
    const expected = poolPurchase(reserves ?? expect.fail(), SOL, fees) ?? expect.fail();
    expect(first.fill).toMatchObject({
      tokens: BigInt(expected.tokens),
      lamports: BigInt(expected.quote + totalPoolFee(expected.fees)),
      costs: {
        launchpadFeeLamports: totalPoolFee(expected.fees),
        networkFeeLamports: FEE,
        accountRentLamports: ACCOUNT_RENT,
        volumeRentLamports: 0,
      },
      price: first.quote.averagePrice,
    });
    expect(first.fill.costs).toEqual(first.quote.costs);

    const half = first.fill.tokens / 2n;
    const second = await traded(sell(half));
    expect(second.fill).toMatchObject({ tokens: half, lamports: second.quote.lamports, costs: second.quote.costs });
    const third = await traded(sell(first.fill.tokens - half));
    expect(third.fill.costs).toMatchObject({ returnedRentLamports: ACCOUNT_RENT });
    const moved = Number(second.fill.lamports + third.fill.lamports - first.fill.lamports);
    expect((await balance()) - start).toBe(moved - 3 * FEE);
    expect(await executor.balances([{ userId: '', wallet, address }])).toEqual([0n]);
  });

  testOrders(executor, traders, async () => address);
});

/** Faults with the reason why nothing is signed, for a purchase and for a sale where it differs. */
const refusals: [Fault, ReasonCode, ReasonCode?][] = [
  [{ kind: 'foreign-program' }, 'route-program'],
  [{ kind: 'extra-debit' }, 'route-instruction'],
  [{ kind: 'double-spend' }, 'route-overspends', 'route-instruction'],
  [{ kind: 'larger-spend' }, 'route-terms'],
  [{ kind: 'no-bound' }, 'route-terms'],
  [{ kind: 'wrong-taker' }, 'route-signer'],
  [{ kind: 'approve' }, 'route-instruction'],
  [{ kind: 'set-authority' }, 'route-instruction'],
  [{ kind: 'assign' }, 'route-instruction'],
  [{ kind: 'less-out' }, 'route-shortfall'],
  [{ kind: 'false-table' }, 'route-tables'],
  [{ kind: 'garbage' }, 'route-unreadable'],
  [{ kind: 'status', status: 400 }, 'no-route'],
  [{ kind: 'status', status: 401 }, 'route-denied'],
  [{ kind: 'status', status: 403 }, 'route-denied'],
  [{ kind: 'status', status: 500 }, 'route-away'],
];

describe('a false response', () => {
  test('every kind is refused here', () => {
    const kinds = refusals.map(([{ kind }]) => kind);
    expect(Object.keys(falsifications).filter((kind) => !kinds.some((one) => one === kind))).toEqual([]);
  });

  test.each(refusals)('%j is never signed: %s [T-46]', async (fault, bought, sold = bought) => {
    const { buy, sell } = await traders.trader(address);
    const { fill } = await traded(buy(SOL));
    const before = traders.signatures();
    for (const [ask, code] of [
      [buy(SOL), bought],
      [sell(fill.tokens), sold],
    ] as const) {
      const quote = await quoted(ask);
      market.emulator.setFault(fault);
      expect(await executor.sign(ask, quote, 'name', async () => true)).toMatchObject({ ok: false, reason: { code } });
      market.emulator.setFault(null);
    }
    expect(traders.signatures()).toBe(before);
  });
});

/** Number of the token program's instruction that destroys tokens. */
const BURN = 8;

function burning(account: PublicKey, mint: PublicKey, owner: PublicKey): TransactionInstruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(BURN, 0);
  data.writeBigUInt64LE(1n, 1);
  const keys = [account, mint].map((pubkey) => ({ pubkey, isSigner: false, isWritable: true }));
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [...keys, { pubkey: owner, isSigner: true, isWritable: false }],
    data,
  });
}

describe('a transaction whose instructions all look right', () => {
  test('is refused by its effects on the chain: rights over tokens or the wallet, other tokens, more SOL [T-46]', async () => {
    const { keys, wallet, buy } = await traders.trader(address);
    await traded(buy(SOL));
    const trade = { request: { ...noSwap, taker: wallet }, mint: new PublicKey(address) };
    const tokenAccount = tokenAccountOf(keys.publicKey, TOKEN_PROGRAM, trade.mint);
    const { blockhash } = await node.blockhash();
    const payment = { budget: { units: 200_000, dataBytes: null }, priorityLamports: 0, tipLamports: 0, name: '' };
    const refusalOf = async (instruction: TransactionInstruction) => {
      const message = paidMessage(wallet, [instruction], payment, { blockhash }).serialize();
      const result = await simulateTrade(node, signedBytes(Buffer.alloc(64), message), [instruction], {
        side: 'buy',
        wallet,
        // Of another token, so that this one is none of the trade's.
        tokenAccount: thief.toBase58(),
        sold: 0n,
        least: 0n,
        leastChange: -BigInt(FEE),
      });
      return result.isDone ? (result.refusal?.code ?? null) : result.error;
    };
    expect(await refusalOf(pay(keys, keys.publicKey, 1))).toBeNull();
    expect(await refusalOf(approval(trade))).toBe('route-authority');
    expect(await refusalOf(ownerChange(trade))).toBe('route-authority');
    expect(await refusalOf(assignment(trade))).toBe('route-authority');
    expect(await refusalOf(burning(tokenAccount, trade.mint, keys.publicKey))).toBe('route-tokens');
    expect(await refusalOf(pay(keys, thief, RENT_OF_NOTHING))).toBe('route-overspends');
  });
});
