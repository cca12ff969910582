import { Types } from 'mongoose';
import { PublicError } from '../../../common/errors.ts';
import {
  defaultBotTrading,
  defaultDefaults,
  defaultLimits,
  defaultPresets,
  noExits,
  PAPER_START_LAMPORTS,
  type TradingAccount,
} from '../../../common/trading/account.ts';
import { defaultProtections } from '../../../common/trading/limits/protections.ts';
import type { Order, OrderToken, Quote, QuoteResponse } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import type { BotOrder, BotTrade, BotTrading } from '../trading/engine.ts';

const AT = '2026-11-21T08:00:00.000Z';
const SOL = 1_000_000_000;
/** Base units for one lamport at the price of the fake. */
const UNITS_PER_LAMPORT = 30;

/** Trading in memory, with the promises of `BotTrading`: the same key gives the same order. */
export interface FakeTrading extends BotTrading {
  readonly byKey: ReadonlyMap<string, Order>;
  /** New orders as they were asked for. */
  readonly placed: readonly BotOrder[];
  readonly stops: readonly { sell: boolean; pausesExits?: boolean }[];
  change(account: Partial<TradingAccount>): void;
  hold(position: Position): void;
  /** Multiplies the price. */
  movePrice(factor: number): void;
  /** Refuses each following quote; null: no longer. */
  refuse(response: QuoteResponse | null): void;
  /** Resolves the pending and following placements with an error after they are stored, as a lost response would. */
  loseResponses(isOn: boolean): void;
}

function fakeAccount(change: Partial<TradingAccount> = {}): TradingAccount {
  return {
    ...{ server: 'local', modes: ['paper', 'local'], mode: 'local', limits: defaultLimits, defaults: defaultDefaults },
    presets: defaultPresets,
    ...{
      bot: defaultBotTrading,
      protections: defaultProtections,
      locks: [],
      stopped: null,
      stoppedAll: false,
      budget: null,
      version: 1,
    },
    paper: { lamports: PAPER_START_LAMPORTS, resetAt: AT },
    ...change,
  };
}

/** A position of 1,000 tokens that cost 0.1 SOL and would return 0.12 SOL. */
export function fakePosition(token: OrderToken): Position {
  const value = {
    lamports: SOL * 0.12,
    unknown: null,
    profitLamports: SOL * 0.02,
    price: 0.00012,
    supply: 1_000_000_000,
    at: AT,
  };
  return {
    ...{ id: new Types.ObjectId().toHexString(), mode: 'local', cluster: 'local', wallet: token.address, token },
    ...{ origin: { kind: 'manual', name: null }, status: 'open', tokens: '1000000000', boughtTokens: '1000000000' },
    ...{ soldTokens: '0', costLamports: SOL / 10, paidLamports: SOL / 10, proceedsLamports: 0, realisedLamports: 0 },
    ...{
      feesLamports: 0,
      rentLamports: 0,
      entryPrice: 0.0001,
      exits: noExits,
      stepsDone: [],
    },
    ...{ movedTokens: '0', value, openedAt: AT, closedAt: null, version: 1 },
  };
}

export function createFakeTrading(): FakeTrading {
  const byKey = new Map<string, Order>();
  const placed: BotOrder[] = [];
  const stops: { sell: boolean; pausesExits?: boolean }[] = [];
  const held: Position[] = [];
  let account = fakeAccount();
  let factor = 1;
  let refusal: QuoteResponse | null = null;
  let isLost = false;
  let report: StopReport | null = null;

  return {
    byKey,
    placed,
    stops,
    change(change) {
      account = { ...account, ...change };
    },
    hold: (position) => void held.push(position),
    movePrice(by) {
      factor *= by;
    },
    refuse(response) {
      refusal = response;
    },
    loseResponses(isOn) {
      isLost = isOn;
    },
    account: async () => account,
    quote: async (_userId, trade) => refusal ?? { quote: quoteOf(trade, factor), refusal: null },
    async place(_userId, request) {
      const order = byKey.get(request.key) ?? orderOf(request, account);
      if (!byKey.has(request.key)) placed.push(request);
      byKey.set(request.key, order);
      if (isLost) throw new PublicError('unavailable');
      return order;
    },
    orderOf: async (_userId, key) => byKey.get(key) ?? null,
    orders: async (_userId, limit) => [...byKey.values()].toReversed().slice(0, limit),
    positions: async () => held,
    async stop(_by, options) {
      stops.push(options);
      const { sell, pausesExits = account.stopped?.pausesExits ?? false } = options;
      account = { ...account, stopped: { at: AT, by: 'telegram', pausesExits } };
      const positions = held.map(({ id, token }) => ({
        ...{ positionId: id, token, orderId: null, outcome: 'waiting' as const, lamports: null, failure: null },
      }));
      report = {
        ...{ id: new Types.ObjectId().toHexString(), at: AT, by: 'telegram', cancelled: 2, out: 1, sells: sell },
        ...{ positions: sell ? positions : [], endedAt: null, version: 1 },
      };
      return report;
    },
    stopReport: async () => report,
    async resume() {
      account = { ...account, stopped: null };
      return account;
    },
  };
}

const costs = {
  ...{ launchpadFeeLamports: 1_250_000, networkFeeLamports: 5_000, priorityFeeLamports: 100_000, tipLamports: 0 },
  ...{ accountRentLamports: 2_039_280, volumeRentLamports: 0, returnedRentLamports: 0 },
};

function quoteOf(trade: BotTrade, factor: number): Quote {
  const { address, side, slippageBps } = trade;
  const lamports = side === 'buy' ? (trade.lamports ?? 0) : Math.round((trade.sharePercent ?? 0) * 1_200_000 * factor);
  const tokens = Math.round((lamports * UNITS_PER_LAMPORT) / (side === 'buy' ? factor : 1));
  const least = 1 - slippageBps / 10_000;
  return {
    ...{ address, side, slippageBps, mode: 'local', venue: 'curve', decimals: 6 },
    ...{ tokens: String(tokens), lamports, costs },
    leastTokens: side === 'buy' ? String(Math.floor(tokens * least)) : null,
    leastLamports: side === 'sell' ? Math.floor(lamports * least) : null,
    ...{ spotPrice: 3.3e-8, averagePrice: 3.4e-8, impactBps: 120, warnings: side === 'buy' ? ['unknown-risk'] : [] },
    ...{ walletLamports: SOL, mostLamports: side === 'buy' ? SOL / 2 : null },
    ...{ totalLamports: side === 'buy' ? lamports + 2_144_280 : lamports - 105_000, at: AT },
  };
}

function orderOf({ side, address, lamports, slippageBps }: BotOrder, { mode }: TradingAccount): Order {
  return {
    ...{ id: new Types.ObjectId().toHexString(), side, status: 'created', mode: mode ?? 'paper', cluster: 'local' },
    ...{
      wallet: address,
      token: { address, name: 'Dog', symbol: 'DOG', decimals: 6 },
      cause: { kind: 'bot', name: null },
    },
    ...{ positionId: null, lamports, tokens: side === 'sell' ? '500000000' : null, slippageBps, holdLamports: 0 },
    ...{ attempts: [], fill: null, isClosed: false, profitLamports: null, failure: null, version: 1 },
    times: { created: AT, held: null, signed: null, sent: null, decided: null },
  };
}
