import { symbolIsMissing } from '../../../../common/tokens/names.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { KnownSymbols } from './known-symbols.ts';

const DAY = 86_400_000;
/** Creators and symbols that are remembered; the ones heard of longest ago go first. A day sees about half as many. */
const MAX_CREATORS = 60_000;
const MAX_SYMBOLS = 60_000;
/** Coins kept for one creator or one symbol. */
const MAX_COINS = 30;

interface Coin {
  address: string;
  /** Creation, epoch ms. */
  at: number;
  rugged: boolean;
}

/** What a launch is remembered by. */
export interface Launch {
  address: string;
  creator: string | null;
  symbol: string | null;
  at: number;
  rugged: boolean;
}

/** The fields of a token that its launch is made of. */
export type LaunchRecord = Pick<TokenRecord, '_id' | 'creator' | 'symbol' | 'listedAt' | 'rugged'>;

export function launchOf({ _id, creator, symbol, listedAt, rugged }: LaunchRecord): Launch {
  return { address: _id, creator, symbol, at: listedAt, rugged };
}

/** Who launched what lately, and how it ended: for the checks that look beyond one coin. */
export class Creators {
  readonly #creators = new Map<string, Coin[]>();
  readonly #symbols = new Map<string, Coin[]>();
  readonly #known: KnownSymbols;

  constructor(known = new KnownSymbols()) {
    this.#known = known;
  }

  add({ address, creator, symbol, at, rugged }: Launch): void {
    const coin = { address, at, rugged };
    if (creator !== null) remember(this.#creators, creator, coin, MAX_CREATORS);
    const key = symbolKey(symbol);
    if (key !== null) remember(this.#symbols, key, coin, MAX_SYMBOLS);
  }

  /** Forgets what a coin was taken for: a better source has named another creator, or another symbol. */
  correct(address: string, { creator, symbol }: Pick<Launch, 'creator' | 'symbol'>): void {
    if (creator !== null) forget(this.#creators, creator, address);
    const key = symbolKey(symbol);
    if (key !== null) forget(this.#symbols, key, address);
  }

  /** Other coins of the creator within the 24 h before. */
  launchesBefore(creator: string, address: string, at: number): number {
    return this.#before(creator, address, at).filter((coin) => coin.at >= at - DAY).length;
  }

  /** Earlier coins of the creator that ended as rugs; null when no earlier one is known. */
  ruggedBefore(creator: string, address: string, at: number): number | null {
    const earlier = this.#before(creator, address, at);
    return earlier.length === 0 ? null : earlier.filter((coin) => coin.rugged).length;
  }

  #before(creator: string, address: string, at: number): Coin[] {
    return (this.#creators.get(creator) ?? []).filter((coin) => coin.address !== address && coin.at <= at);
  }

  /** A known or older coin of the last 24 h with the same symbol; '' when there is none, null when there is no symbol. */
  twinOf(symbol: string | null, address: string, at: number): string | null {
    const key = symbolKey(symbol);
    if (key === null) return null;
    const known = this.#known.borrowedFrom(key, address);
    if (known !== null) return known;
    const older = this.#symbols
      .get(key)
      ?.find((coin) => coin.address !== address && coin.at <= at && coin.at >= at - DAY);
    return older?.address ?? '';
  }

  /** Notes that a coin ended as a rug. Tells the creator's other coins, whose score this changes. */
  markRugged(creator: string, address: string): string[] {
    const coins = this.#creators.get(creator) ?? [];
    for (const coin of coins) if (coin.address === address) coin.rugged = true;
    return coins.filter((coin) => coin.address !== address).map((coin) => coin.address);
  }
}

function symbolKey(symbol: string | null): string | null {
  return symbol === null || symbolIsMissing(symbol) ? null : symbol.trim().toUpperCase();
}

function forget(map: Map<string, Coin[]>, key: string, address: string): void {
  const left = map.get(key)?.filter((coin) => coin.address !== address) ?? [];
  if (left.length === 0) map.delete(key);
  else map.set(key, left);
}

function remember(map: Map<string, Coin[]>, key: string, coin: Coin, bound: number): void {
  const coins = map.get(key) ?? [];
  // Set anew, so that the map's order is that of the last launch.
  map.delete(key);
  map.set(key, coins);
  const known = coins.find(({ address }) => address === coin.address);
  if (known) Object.assign(known, { at: coin.at, rugged: known.rugged || coin.rugged });
  else coins.push(coin);
  if (coins.length > MAX_COINS) coins.shift();
  if (map.size <= bound) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
