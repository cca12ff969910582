import { AddressLookupTableProgram, Keypair, PublicKey, SystemProgram, VersionedMessage } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { noExtraCosts } from '../../../common/trading/fills.ts';
import type { TradeQuote } from '../executors/executor.ts';
import type { Account } from '../pump/curve-state.ts';
import { pumpAddresses } from '../pump/interface.ts';
import { tradeAsk } from '../testing/order-record.ts';
import type { BuildResponse } from './build-response.ts';
import { checkedTrade } from './checked-trade.ts';
import { jupiterProgram } from './swap-terms.ts';
import { mint, purchaseResponse, routeInstruction, tokenAccount, wallet } from './testing/mainnet-response.ts';

const AMOUNT = 1_000_000_000n;
const EXPECTED = 5_000_000n;
const LEAST = 4_900_000n;
const RENT = 2_039_280;
const FEE = 5_000;
const table = Keypair.generate().publicKey;
/** Accounts of the pools on the way, which only the table names. */
const pools = Array.from({ length: 30 }, () => Keypair.generate().publicKey);

const ask = tradeAsk({ wallet: wallet.toBase58(), address: mint.toBase58(), lamports: AMOUNT, slippageBps: 200 });
const quote: TradeQuote = {
  decimals: 6,
  tokens: EXPECTED,
  leastTokens: LEAST,
  lamports: AMOUNT,
  leastLamports: null,
  spotPrice: 1,
  averagePrice: 1,
  impactBps: 10,
  costs: { ...noExtraCosts, launchpadFeeLamports: 0, networkFeeLamports: FEE, accountRentLamports: RENT },
  totalLamports: AMOUNT,
  walletLamports: 2n * AMOUNT,
  walletTokens: 0n,
  slot: 1,
  at: 0,
};

/** The state of a lookup table on the chain. */
function tableAccount(addresses: readonly PublicKey[]): Account {
  const head = Buffer.alloc(56);
  head.writeUInt32LE(1, 0);
  head.writeBigUInt64LE(2n ** 64n - 1n, 4);
  const data = Buffer.concat([head, ...addresses.map((address) => address.toBuffer())]);
  return { lamports: 1, owner: AddressLookupTableProgram.programId, data };
}

function tokens(amount: bigint): Account {
  const data = Buffer.alloc(165);
  mint.toBuffer().copy(data, 0);
  wallet.toBuffer().copy(data, 32);
  data.writeBigUInt64LE(amount, 64);
  data.writeUInt8(1, 108);
  return { lamports: RENT, owner: new PublicKey(pumpAddresses.quoteTokenProgram), data };
}

/** A purchase on mainnet over thirty accounts of a table. `spent`: what its simulation takes from the wallet. */
function purchase({ onChain = pools, spent = Number(AMOUNT) + FEE + RENT, error = null as unknown } = {}) {
  const swapInstruction = routeInstruction({ amountIn: AMOUNT, quotedOut: EXPECTED, slippageBps: 200 }, pools);
  const response: BuildResponse = purchaseResponse(AMOUNT, EXPECTED, {
    swapInstruction,
    addressesByLookupTableAddress: { [table.toBase58()]: pools },
  });
  const before = 2 * Number(AMOUNT);
  const stateOf = (address: PublicKey, isAfter: boolean): Account => {
    if (address.equals(table)) return tableAccount([...onChain, wallet]);
    if (address.equals(wallet)) {
      const lamports = isAfter ? before - spent : before;
      return { lamports, owner: SystemProgram.programId, data: Buffer.alloc(0) };
    }
    return isAfter && address.equals(tokenAccount) ? tokens(EXPECTED) : null;
  };
  return checkedTrade(
    {
      jupiter: { build: async () => ({ ok: true, value: response }) },
      programs: [jupiterProgram],
      reader: {
        read: async () => ({
          coin: { ok: false, reason: { code: 'between-venues', numbers: {} } },
          mint: { tokenProgram: pumpAddresses.quoteTokenProgram, decimals: 6 },
          wallet: { lamports: BigInt(before), tokens: 0n, tokenAccountLamports: null, hasVolumeAccount: false },
          slot: 1,
        }),
        balances: async () => [],
        walletLamports: async () => before,
      },
      node: {
        blockhash: async () => ({ blockhash: Keypair.generate().publicKey.toBase58(), lastValidBlockHeight: 150 }),
        accounts: async (addresses) => ({ slot: 1, accounts: addresses.map((one) => stateOf(one, false)) }),
        simulate: async (_, addresses = []) => ({
          error,
          units: 200_000,
          loadedBytes: null,
          accounts: addresses.map((one) => stateOf(one, true)),
        }),
      },
    },
    ask,
    quote,
    'name',
  );
}

describe('a purchase by Jupiter on mainnet', () => {
  test('becomes one transaction that the wallet alone signs, with the accounts of the lookup table', async () => {
    const trade = await purchase();
    if (!trade.ok) return expect.fail(trade.reason.code);
    expect(trade.value).toMatchObject({ least: LEAST, lastValidBlockHeight: 150 });
    const message = VersionedMessage.deserialize(trade.value.message);
    if (message.version !== 0) return expect.fail('an old message');
    expect(message.header.numRequiredSignatures).toBe(1);
    expect(message.staticAccountKeys[0]?.equals(wallet)).toBe(true);
    expect(message.addressTableLookups).toMatchObject([{ accountKey: table }]);
    expect(message.addressTableLookups[0]?.writableIndexes).toHaveLength(pools.length);
    // The simulated units with room, and a little by the name.
    const limit = Buffer.from(message.compiledInstructions[0]?.data ?? []).readUInt32LE(1);
    expect(limit).toBeGreaterThanOrEqual(240_000);
    expect(limit).toBeLessThan(250_000);
  });

  test('is not signed when the table has other accounts on the chain [T-46]', async () => {
    const refused = { ok: false, reason: { code: 'route-tables', numbers: {} } };
    expect(await purchase({ onChain: pools.toReversed() })).toEqual(refused);
    expect(await purchase({ onChain: pools.slice(1) })).toEqual(refused);
  });

  test('is not signed when it takes a lamport more than the order allows [T-46]', async () => {
    expect(await purchase({ spent: Number(AMOUNT) + FEE + RENT + 1 })).toMatchObject({
      reason: { code: 'route-overspends' },
    });
  });

  test.each([
    ['slippage', { InstructionError: [5, { Custom: 6_001 }] }],
    ['balance', { InstructionError: [2, { Custom: 1 }] }],
    ['chain-error', { InstructionError: [5, { Custom: 6_014 }] }],
  ])('names the reason when its simulation fails: %s', async (code, error) => {
    expect(await purchase({ error })).toMatchObject({ ok: false, reason: { code } });
  });
});
