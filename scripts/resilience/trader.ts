import { randomUUID } from 'node:crypto';
import { type ConfirmedSignatureInfo, type Connection, Keypair, PublicKey } from '@solana/web3.js';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { LAMPORTS_PER_SOL } from '../../common/tokens/units.ts';
import { tradingAccountSchema } from '../../common/trading/account.ts';
import { SIGNATURE_FEE_LAMPORTS, walletChange } from '../../common/trading/fills.ts';
import { TRADING_PAGE_MAX } from '../../common/trading/http.ts';
import { type NewOrder, type Order, orderSchema, tradeWarningSchema } from '../../common/trading/order.ts';
import { type Position, positionSchema } from '../../common/trading/position.ts';
import { TOKEN_PROGRAMS } from '../local-chain/ledger/token-accounts.ts';
import { clientOf, WAIT } from '../local-chain/testing/client.ts';
import type { PrivateChain } from '../testing/local-chain.ts';
import { post, signIn } from './product.ts';

const PASSWORD = 'correct-horse-battery';
const FUNDS = 10 * LAMPORTS_PER_SOL;
/** Transactions that a node returns at once, at most. */
const SIGNATURES_MAX = 1_000;
/** Limits of an account that no test reaches. */
export const WIDE_LIMITS = { perDayLamports: 1_000_000_000_000, maxOpen: 100, maxDayLossLamports: 1_000_000_000_000 };

/** A user with a funded wallet, over every restart of the product. */
export interface Trader {
  /** Of the user, hexadecimal. */
  id: string;
  wallet: Keypair;
  /** The session outlives restarts, as the limit of logins would refuse one for each. */
  cookie: string;
  /** Client ids of acknowledged orders, with the ids of the orders. */
  acknowledged: Map<string, string>;
  /** The last refusal of an order, with its status and text; null without one. */
  refusal: string | null;
}

/** A signed-in trader at one run of the product. */
export interface TradingSession {
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
}

/** Registers a trader, stores the wallet's key with the product, and gives it 10 SOL. */
export async function createTrader(url: string, chain: PrivateChain, username: string): Promise<Trader> {
  const registered = await post(url, '/api/auth/register', { username, password: PASSWORD });
  const { id } = z.object({ id: z.string() }).parse(await registered.json());
  const { cookie } = await signIn(url, username, PASSWORD);
  const acknowledged = new Map<string, string>();
  const trader: Trader = { id, wallet: Keypair.generate(), cookie, acknowledged, refusal: null };
  const session = enter(url, trader);
  const body = {
    walletAddress: trader.wallet.publicKey.toBase58(),
    privateKey: Buffer.from(trader.wallet.secretKey).toString('hex'),
  };
  expect((await session.post(`/api/users/${id}/wallet`, body)).status).toBeLessThan(300);
  const { connection } = clientOf(chain);
  await connection.requestAirdrop(trader.wallet.publicKey, FUNDS);
  await vi.waitFor(async () => expect(await connection.getBalance(trader.wallet.publicKey)).toBe(FUNDS), WAIT);
  return trader;
}

/** Returns the trader's session at a run of the product. */
export function enter(url: string, { cookie }: Pick<Trader, 'cookie'>): TradingSession {
  const headers = { cookie, 'content-type': 'application/json' };
  const send = (method: string, path: string, body: unknown) =>
    fetch(url + path, { method, headers, body: JSON.stringify(body) });
  return {
    get: (path) => fetch(url + path, { headers: { cookie } }),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
  };
}

/** Makes an order on the local chain by two calls at once, as two tabs do. Returns the one order; null when it is refused. */
export async function placeTwice(
  trader: Trader,
  session: TradingSession,
  order: Pick<NewOrder, 'side' | 'address' | 'lamports' | 'sharePercent'>,
): Promise<Order | null> {
  const clientId = randomUUID();
  const accept = tradeWarningSchema.options;
  const body = { ...order, clientId, mode: 'local', from: 'page', slippageBps: 5_000, accept };
  const placed = await Promise.all(
    [0, 1].map(async () => {
      const response = await session.post('/api/trading/orders', body);
      if (!response.ok) {
        trader.refusal = `${response.status} ${await response.text()}`;
        return null;
      }
      const one = orderSchema.parse(await response.json());
      trader.acknowledged.set(clientId, one.id);
      return one;
    }),
  );
  expect(new Set(placed.flatMap((one) => one?.id ?? [])).size).toBeLessThanOrEqual(1);
  return placed.find((one) => one !== null) ?? null;
}

/** Returns every order of the trader, newest first. */
export async function ordersOf(session: TradingSession): Promise<Order[]> {
  const orders: Order[] = [];
  for (;;) {
    const before = orders.at(-1)?.id;
    const query = new URLSearchParams({ limit: String(TRADING_PAGE_MAX), ...(before && { before }) });
    const response = await session.get(`/api/trading/orders?${query.toString()}`);
    const page = z.array(orderSchema).parse(await response.json());
    orders.push(...page);
    if (page.length < TRADING_PAGE_MAX) return orders;
  }
}

/** Compares the wallet on the chain with the trader's orders, positions and account. Every order must be closed. */
export async function expectWholeTruth(
  chain: PrivateChain,
  trader: Trader,
  session: TradingSession,
  orders: readonly Order[],
): Promise<void> {
  await expectSameTransactions(chain, trader, orders);
  const positions = z
    .array(positionSchema)
    .parse(await (await session.get(`/api/trading/positions?state=open&limit=${TRADING_PAGE_MAX}`)).json());
  const held = await tokensOnChain(chain, trader);
  expect(held, 'tokens on the chain and fills').toEqual(tokensOfFills(orders));
  expect(tokensOfPositions(positions), 'tokens on the chain and positions').toEqual(held);
  const origins = positions.map(({ token, origin }) => `${token.address} ${origin.kind}`);
  expect(origins.length, 'positions of one token and origin').toBe(new Set(origins).size);
  const { budget } = tradingAccountSchema.parse(await (await session.get('/api/trading/account')).json());
  expect(budget, 'account').toMatchObject({ reservedLamports: 0, openPositions: held.size });
}

/** Returns the base units of each token in the wallet, without empty accounts. */
async function tokensOnChain(chain: PrivateChain, { wallet }: Trader): Promise<Map<string, string>> {
  const { connection } = clientOf(chain);
  const accounts = await Promise.all(
    [...TOKEN_PROGRAMS.keys()].map((program) =>
      connection.getTokenAccountsByOwner(wallet.publicKey, { programId: new PublicKey(program) }),
    ),
  );
  const balances = accounts
    .flatMap(({ value }) => value)
    .map(({ account: { data } }) => [new PublicKey(data.subarray(0, 32)).toBase58(), data.readBigUInt64LE(64)] as const)
    .filter(([, amount]) => amount > 0n);
  return new Map(balances.map(([mint, amount]) => [mint, String(amount)]));
}

/** Returns the base units of each token that the fills have left. */
function tokensOfFills(orders: readonly Order[]): Map<string, string> {
  const sums = new Map<string, bigint>();
  for (const { side, fill, token } of orders) {
    const tokens = BigInt(fill?.tokens ?? 0);
    sums.set(token.address, (sums.get(token.address) ?? 0n) + (side === 'buy' ? tokens : -tokens));
  }
  return new Map([...sums].filter(([, tokens]) => tokens !== 0n).map(([address, tokens]) => [address, String(tokens)]));
}

function tokensOfPositions(positions: readonly Position[]): Map<string, string> {
  const sums = new Map<string, bigint>();
  for (const { token, tokens } of positions) {
    sums.set(token.address, (sums.get(token.address) ?? 0n) + BigInt(tokens));
  }
  return new Map([...sums].map(([address, tokens]) => [address, String(tokens)]));
}

/** Resolves with every transaction of a wallet, newest first: a node returns at most a thousand at once. */
async function allSignatures(connection: Connection, wallet: PublicKey): Promise<ConfirmedSignatureInfo[]> {
  const all: ConfirmedSignatureInfo[] = [];
  for (;;) {
    const before = all.at(-1)?.signature;
    const page = await connection.getSignaturesForAddress(wallet, { limit: SIGNATURES_MAX, ...(before && { before }) });
    all.push(...page);
    if (page.length < SIGNATURES_MAX) return all;
  }
}

async function expectSameTransactions(
  chain: PrivateChain,
  { wallet, acknowledged }: Trader,
  orders: readonly Order[],
): Promise<void> {
  const { connection } = clientOf(chain);
  const ids = new Set(orders.map(({ id }) => id));
  const lost = [...acknowledged.values()].filter((id) => !ids.has(id));
  expect(lost, 'acknowledged orders that are gone').toEqual([]);

  // Without the transfer that filled the wallet.
  const landed = (await allSignatures(connection, wallet.publicKey)).slice(0, -1);
  const attempts = new Map(orders.flatMap((order) => order.attempts.map((one) => [one.signature, order] as const)));
  expect(
    landed.filter(({ signature }) => !attempts.has(signature)).map(({ signature }) => signature),
    'transactions without an order',
  ).toEqual([]);
  const trades = landed.filter(({ err }) => err === null).map(({ signature }) => attempts.get(signature)?.id);
  const fills = orders.filter(({ fill }) => fill !== null).map(({ id }) => id);
  expect(trades.length, 'trades of one order').toBe(new Set(trades).size);
  expect(new Set(trades), 'trades on the chain and orders with a fill').toEqual(new Set(fills));

  const moved = orders.reduce((sum, { side, fill }) => sum + (fill === null ? 0 : walletChange(side, fill)), 0);
  const reverted = landed.filter(({ err }) => err !== null).length * SIGNATURE_FEE_LAMPORTS;
  expect(await connection.getBalance(wallet.publicKey), 'balance').toBe(FUNDS + moved - reverted);
}
