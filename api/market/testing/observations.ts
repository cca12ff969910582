import { base58Of } from '../../../common/testing/base58.ts';
import { STANDARD_CURVE } from '../../../common/tokens/curve.ts';
import type {
  CreatedObservation,
  FactsObservation,
  ListedObservation,
  Listing,
  MigratedObservation,
  RateObservation,
  Reserves,
  TradeObservation,
} from '../sources/observation.ts';

/** The time most market tests begin at. */
export const START = Date.UTC(2026, 8, 1, 12);

/** A well-formed address for each number, always the same one. */
export function address(number: number): string {
  return `Coin${base58Of(number, 39)}`;
}

export function startReserves(): Reserves {
  const { virtualQuote, virtualToken, realToken } = STANDARD_CURVE;
  return { virtualQuote, virtualToken, realQuote: 0, realToken };
}

/** Standard reserves after so many lamports have flowed in. */
export function reservesWith(lamports: number): Reserves {
  const begin = startReserves();
  const virtualQuote = begin.virtualQuote + lamports;
  const virtualToken = Math.floor((begin.virtualQuote * begin.virtualToken) / virtualQuote);
  return {
    virtualQuote,
    virtualToken,
    realQuote: lamports,
    realToken: begin.realToken - (begin.virtualToken - virtualToken),
  };
}

/** Reserves and amounts of a purchase right after the creation. */
export function firstBuy(lamports: number) {
  const reserves = reservesWith(lamports);
  return { reserves, quoteAmount: lamports, tokenAmount: startReserves().virtualToken - reserves.virtualToken };
}

let events = 0;
/** A place on chain that nothing else has. */
export function onChain(overrides: Partial<TradeObservation['chain']> = {}): TradeObservation['chain'] {
  events += 1;
  return { signature: `signature${events}`, index: 0, slot: null, ...overrides };
}

export function created(overrides: Partial<CreatedObservation> = {}): CreatedObservation {
  const at = overrides.at ?? START;
  return {
    kind: 'created',
    source: 'solana',
    at,
    receivedAt: at,
    chain: onChain({ slot: 1_000 }),
    address: address(1),
    name: 'Pepe Coin',
    symbol: 'PEPE',
    uri: 'https://example.invalid/pepe.json',
    creator: 'creator',
    user: 'creator',
    bondingCurve: 'curve',
    quote: 'SOL',
    decimals: 6,
    totalSupply: String(STANDARD_CURVE.totalSupply),
    reserves: startReserves(),
    launchpad: 'pump.fun',
    cluster: 'mainnet',
    mayhem: false,
    cashback: false,
    slotMs: null,
    ...overrides,
  };
}

/** A buy of one SOL by `wallet`, by default. */
export function trade(overrides: Partial<TradeObservation> = {}): TradeObservation {
  const at = overrides.at ?? START;
  return {
    kind: 'trade',
    source: 'solana',
    at,
    receivedAt: at,
    chain: onChain(),
    address: address(1),
    side: 'buy',
    wallet: 'wallet',
    quote: 'SOL',
    quoteAmount: 1_000_000_000,
    tokenAmount: 30_000_000_000_000,
    reserves: reservesWith(1_000_000_000),
    creator: null,
    launchpad: 'pump.fun',
    cluster: 'mainnet',
    venue: 'curve',
    ...overrides,
  };
}

export function migrated(overrides: Partial<MigratedObservation> = {}): MigratedObservation {
  const at = overrides.at ?? START;
  return {
    kind: 'migrated',
    source: 'solana',
    at,
    receivedAt: at,
    chain: onChain(),
    address: address(1),
    pool: 'pool',
    quoteAmount: 85_000_000_000,
    ...overrides,
  };
}

export function facts(
  known: FactsObservation['facts'],
  overrides: Partial<Omit<FactsObservation, 'facts'>> = {},
): FactsObservation {
  const at = overrides.at ?? START;
  return {
    kind: 'facts',
    source: 'rpc',
    at,
    receivedAt: at,
    address: address(1),
    slot: null,
    ...overrides,
    facts: known,
  };
}

/** A report of a data service, by default of Jupiter. */
export function listed(
  listing: Listing,
  overrides: Partial<Omit<ListedObservation, 'listing'>> = {},
): ListedObservation {
  const at = overrides.at ?? START;
  const defaults = { kind: 'listed', source: 'jupiter', at, receivedAt: at, address: address(1) } as const;
  return { ...defaults, mayBegin: true, ...overrides, listing };
}

export function rate(solUsd: number, overrides: Partial<RateObservation> = {}): RateObservation {
  const at = overrides.at ?? START;
  return { kind: 'rate', source: 'solana', at, receivedAt: at, ...overrides, solUsd };
}
