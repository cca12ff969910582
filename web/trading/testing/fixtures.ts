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
import type { Fill, Order, Quote, TradeCosts } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';

export const AT = '2026-11-21T12:00:00.000Z';
export const MINT = '4k3DyjzvzpLhCGkHwvVr8WTjzvCzpVyXc8NmVyTzX7nP';
const WALLET = 'So11111111111111111111111111111111111111112';

/** A document id. */
export function id(number: number): string {
  return number.toString(16).padStart(24, '0');
}

/** The account of a new user on the local chain. */
export function account(fields: Partial<TradingAccount> = {}): TradingAccount {
  return {
    server: 'local',
    modes: ['paper', 'local'],
    mode: 'local',
    limits: defaultLimits,
    defaults: defaultDefaults,
    presets: defaultPresets,
    bot: defaultBotTrading,
    protections: defaultProtections,
    locks: [],
    stopped: null,
    stoppedAll: false,
    budget: {
      day: AT.slice(0, 10),
      leftLamports: 2_000_000_000,
      reservedLamports: 0,
      realisedLamports: 0,
      openPositions: 0,
    },
    paper: { lamports: PAPER_START_LAMPORTS, resetAt: AT },
    version: 1,
    ...fields,
  };
}

export function costs(fields: Partial<TradeCosts> = {}): TradeCosts {
  return {
    launchpadFeeLamports: 1_250_000,
    networkFeeLamports: 5_000,
    priorityFeeLamports: 100_000,
    tipLamports: 0,
    accountRentLamports: 2_039_280,
    volumeRentLamports: 0,
    returnedRentLamports: 0,
    ...fields,
  };
}

/** A quote of a purchase for 0.1 SOL. */
export function quote(fields: Partial<Quote> = {}): Quote {
  return {
    address: MINT,
    side: 'buy',
    mode: 'local',
    venue: 'curve',
    decimals: 6,
    tokens: '3402118000000',
    leastTokens: '3240112000000',
    lamports: 100_000_000,
    leastLamports: null,
    spotPrice: 0.000000029,
    averagePrice: 0.0000000293,
    impactBps: 120,
    slippageBps: 500,
    costs: costs(),
    totalLamports: 102_144_280,
    walletLamports: 4_000_000_000,
    mostLamports: 900_000_000,
    warnings: [],
    at: AT,
    ...fields,
  };
}

export function fill(fields: Partial<Fill> = {}): Fill {
  return {
    tokens: '3402118000000',
    lamports: 100_000_000,
    costs: costs(),
    price: 0.000000029,
    slot: 4_211,
    at: AT,
    ...fields,
  };
}

/** A purchase for 0.1 SOL that waits for its turn; a larger number is newer. */
export function order(number: number, fields: Partial<Order> = {}): Order {
  return {
    id: id(number),
    side: 'buy',
    status: 'created',
    mode: 'local',
    cluster: 'local',
    wallet: WALLET,
    token: { address: MINT, name: 'Moon Otter', symbol: 'OTTR', decimals: 6 },
    cause: { kind: 'page', name: null },
    positionId: null,
    lamports: 100_000_000,
    tokens: null,
    slippageBps: 500,
    holdLamports: 102_144_280,
    attempts: [],
    fill: null,
    isClosed: false,
    profitLamports: null,
    failure: null,
    times: { created: laterBy(number), held: null, signed: null, sent: null, decided: null },
    version: 1,
    ...fields,
  };
}

/** The same purchase, decided in the second block. */
export function boughtOrder(number: number, fields: Partial<Order> = {}): Order {
  const created = laterBy(number);
  return order(number, {
    status: 'confirmed',
    attempts: [
      {
        signature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
        sends: 2,
        lastValidBlockHeight: 4_350,
        signedAt: created,
        firstSentAt: created,
        dueAt: null,
        outcome: 'landed',
        failure: null,
        slot: 4_211,
      },
    ],
    fill: fill(),
    isClosed: true,
    times: { created, held: created, signed: created, sent: created, decided: laterBy(number + 1) },
    version: 5,
    ...fields,
  });
}

/** An open position of 0.1 SOL with a profit of 10 %; a larger number is newer. */
export function position(number: number, fields: Partial<Position> = {}): Position {
  return {
    id: id(number),
    mode: 'local',
    cluster: 'local',
    wallet: WALLET,
    token: { address: MINT, name: 'Moon Otter', symbol: 'OTTR', decimals: 6 },
    origin: { kind: 'manual', name: null },
    status: 'open',
    tokens: '3402118000000',
    boughtTokens: '3402118000000',
    soldTokens: '0',
    costLamports: 100_105_000,
    paidLamports: 100_105_000,
    proceedsLamports: 0,
    realisedLamports: 0,
    feesLamports: 1_355_000,
    rentLamports: 2_039_280,
    entryPrice: 0.000000029,
    exits: noExits,
    stepsDone: [],
    movedTokens: '0',
    value: {
      lamports: 110_115_500,
      unknown: null,
      profitLamports: 10_010_500,
      price: 0.000000032,
      supply: 1_000_000_000,
      at: AT,
    },
    openedAt: laterBy(number),
    closedAt: null,
    version: 1,
    ...fields,
  };
}

function laterBy(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1_000).toISOString();
}
