import type { LRUCache } from 'lru-cache';
import { rectifyConfusion } from 'unicode-confusables';
import { DAY } from '../../../../common/time.ts';
import { nameIsMissing, symbolIsMissing } from '../../../../common/tokens/names.ts';
import { createGrowingCache } from '../../../platform/growing-cache.ts';
import type { TokenRecord } from '../../../tokens/record.ts';

/** Creators, symbols and names remembered; the ones with the oldest last launch go first. A day sees about half as many. */
const MAX_CREATORS = 60_000;
const MAX_SYMBOLS = 60_000;
const MAX_NAMES = 60_000;
/** Coins remembered for one creator, symbol or name. */
const MAX_COINS = 30;

interface Coin {
  address: string;
  /** Creation, epoch ms. */
  at: number;
  rugged: boolean;
  keys: CopyKeys;
}

/** Keys of a coin's symbol and name: coins that share one of them are copies. Null for a missing one. */
export interface CopyKeys {
  symbol: string | null;
  name: string | null;
}

/**
 * A launch: the coin, signer, named creator and fee payer of its creation, symbol, name, time (epoch ms), and whether it ended as a rug.
 * The fee payer is null until it is read.
 */
export interface Launch {
  address: string;
  user: string | null;
  creator: string | null;
  payer: string | null;
  symbol: string | null;
  name: string | null;
  at: number;
  rugged: boolean;
}

/** Fields of a token that make up its launch. */
export type LaunchRecord = Pick<
  TokenRecord,
  '_id' | 'creator' | 'creationUser' | 'creationFeePayer' | 'symbol' | 'name' | 'listedAt' | 'rugged'
>;

export function launchOf(record: LaunchRecord): Launch {
  const { _id, creator, creationUser, creationFeePayer, symbol, name, listedAt, rugged } = record;
  const [user, payer] = [creationUser ?? null, creationFeePayer ?? null];
  return { address: _id, user, creator, payer, symbol, name, at: listedAt, rugged };
}

type Developer = Pick<Launch, 'user' | 'creator' | 'payer'>;
type DatedLaunch = Developer & Pick<Launch, 'address' | 'at'>;

/** Recent launches by developer, symbol and name, and how they ended: for the checks that look beyond one coin. */
export type CreatorHistory = ReturnType<typeof createCreatorHistory>;

/** Key of the coins that name a creator without its signature: they must not count against that creator's own coins. */
const namedKey = (creator: string) => `named ${creator}`;

/** Returns the keys under which a coin is kept: the signer, the creator it names beside it, and the fee payer, who signs as well. */
function ownKeys({ user, creator, payer }: Developer): string[] {
  const named = user === null || creator === null || creator === user ? [] : [namedKey(creator)];
  const signers = [user ?? creator, payer].filter((wallet) => wallet !== null);
  return [...new Set([...signers, ...named])];
}

/** Returns the keys of the coins that count for a coin: its own keys, and the coins that its named creator signed. */
function relatedKeys(developer: Developer): string[] {
  const { user, creator } = developer;
  return creator === null || user === null || creator === user ? ownKeys(developer) : [...ownKeys(developer), creator];
}

export function createCreatorHistory(known: KnownSymbols = createKnownSymbols()) {
  const creators = createGrowingCache<Coin[]>(MAX_CREATORS);
  const symbols = createGrowingCache<Coin[]>(MAX_SYMBOLS);
  const names = createGrowingCache<Coin[]>(MAX_NAMES);

  /** Returns the earlier coins of a developer, each once. */
  function earlier({ address, at, ...developer }: DatedLaunch): Coin[] {
    const coins = new Map<string, Coin>();
    for (const key of relatedKeys(developer)) {
      for (const coin of creators.peek(key) ?? []) {
        if (coin.address !== address && coin.at <= at) coins.set(coin.address, coin);
      }
    }
    return [...coins.values()];
  }

  /** Returns the coins with this symbol or this name, each once: at most 60. */
  function sharing({ symbol, name }: CopyKeys): Coin[] {
    const coins = new Map<string, Coin>();
    for (const coin of symbol === null ? [] : (symbols.peek(symbol) ?? [])) coins.set(coin.address, coin);
    for (const coin of name === null ? [] : (names.peek(name) ?? [])) coins.set(coin.address, coin);
    return [...coins.values()];
  }

  return {
    add({ address, symbol, name, at, rugged, ...developer }: Launch): void {
      const keys = copyKeys({ symbol, name });
      const coin = { address, at, rugged, keys };
      for (const key of ownKeys(developer)) remember(creators, key, coin);
      if (keys.symbol !== null) remember(symbols, keys.symbol, coin, true);
      if (keys.name !== null) remember(names, keys.name, coin, true);
    },
    /** Removes a coin from a developer, symbol or name that a preferred source has corrected. */
    remove(address: string, { symbol, name, ...developer }: Developer & Pick<Launch, 'symbol' | 'name'>): void {
      for (const key of ownKeys(developer)) drop(creators, key, address);
      const keys = copyKeys({ symbol, name });
      if (keys.symbol !== null) drop(symbols, keys.symbol, address);
      if (keys.name !== null) drop(names, keys.name, address);
    },
    /** Returns the number of other coins of the developer within the 24 h before. */
    launchesBefore: (launch: DatedLaunch): number =>
      earlier(launch).filter((coin) => coin.at >= launch.at - DAY).length,
    /** Returns the number of earlier coins of the developer that ended as rugs; null without an earlier coin. */
    ruggedBefore(launch: DatedLaunch): number | null {
      const coins = earlier(launch);
      return coins.length === 0 ? null : coins.filter((coin) => coin.rugged).length;
    },
    /** Returns a known coin, or an older one of the last 24 h, with the same symbol; '' without one, null without a symbol. */
    twinOf(symbol: string | null, address: string, at: number): string | null {
      const key = symbolKey(symbol);
      if (key === null) return null;
      const original = known.borrowedFrom(key, address);
      if (original !== null) return original;
      const older = symbols.peek(key)?.find((coin) => coin.address !== address && coin.at <= at && coin.at >= at - DAY);
      return older?.address ?? '';
    },
    /**
     * Returns the place of a coin, from 1, among those with its symbol or its name (given by their keys) within 24 h, and their number,
     * at most 61; null for the only one.
     */
    twinsOf(keys: CopyKeys, address: string, at: number): [number, number] | null {
      const others = sharing(keys).filter((coin) => coin.address !== address && Math.abs(coin.at - at) <= DAY);
      const earlier = others.filter((coin) => coin.at < at || (coin.at === at && coin.address < address));
      return others.length === 0 ? null : [earlier.length + 1, others.length + 1];
    },
    sharing,
    /** Marks a coin as a rug. Returns the coins whose score this may change. */
    markRugged({ address, ...developer }: Developer & Pick<Launch, 'address'>): string[] {
      const keys = ownKeys(developer);
      for (const key of keys) {
        for (const coin of creators.peek(key) ?? []) if (coin.address === address) coin.rugged = true;
      }
      const affected = [...keys, ...keys.map(namedKey)].flatMap((key) => creators.peek(key) ?? []);
      return [...new Set(affected.map((coin) => coin.address))].filter((other) => other !== address);
    },
  };
}

function drop(coinsBy: LRUCache<string, Coin[]>, key: string, address: string): void {
  const left = coinsBy.peek(key)?.filter((coin) => coin.address !== address) ?? [];
  if (left.length === 0) coinsBy.delete(key);
  else coinsBy.set(key, left);
}

/** Adds or updates a coin. `keepsFirst`: the first one stays for a day, so that no later one takes its place. */
function remember(coinsBy: LRUCache<string, Coin[]>, key: string, coin: Coin, keepsFirst = false): void {
  // `get` also moves the key to the end of the order of eviction.
  const coins = coinsBy.get(key) ?? [];
  const known = coins.find(({ address }) => address === coin.address);
  if (known) Object.assign(known, { at: coin.at, rugged: known.rugged || coin.rugged, keys: coin.keys });
  else coins.push({ ...coin });
  const isFirstKept = keepsFirst && coin.at - (coins[0]?.at ?? coin.at) <= DAY;
  if (coins.length > MAX_COINS) dropOldest(coins, isFirstKept ? 1 : 0);
  coinsBy.set(key, coins);
}

/**
 * Drops the oldest coin from the place `from` on that was no rug, so that many launches do not push the rugs out; the oldest where all
 * are rugs.
 */
function dropOldest(coins: Coin[], from: number): void {
  const place = coins.findIndex(({ rugged }, at) => at >= from && !rugged);
  coins.splice(Math.max(from, place), 1);
}

/** Symbols of well-known coins, and their mints. */
const builtIn: readonly (readonly [string, string])[] = [
  ['SOL', 'So11111111111111111111111111111111111111112'],
  ['WSOL', 'So11111111111111111111111111111111111111112'],
  ['USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  ['BONK', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'],
  ['JUP', 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
];

/** Symbols added by sources; the one known list has far fewer. */
const MAX_ADDED = 20_000;

/** Symbols of known coins by their keys (`symbolKey`); a new coin with one of them borrows it. */
type KnownSymbols = ReturnType<typeof createKnownSymbols>;

export function createKnownSymbols() {
  const mints = new Map<string, readonly string[]>();
  for (const [symbol, mint] of builtIn) mints.set(symbolKey(symbol) ?? symbol, [mint]);
  const fixed = new Set(mints.keys());
  return {
    /** Adds symbols with the mints that share each. Built-in symbols stay unchanged. */
    add(symbols: ReadonlyMap<string, readonly string[]>): void {
      for (const [symbol, mintsOfSymbol] of symbols) {
        const key = symbolKey(symbol);
        if (key === null || fixed.has(key) || mintsOfSymbol.length === 0) continue;
        if (mints.size >= builtIn.length + MAX_ADDED && !mints.has(key)) continue;
        // Two symbols of the list may look alike: both are right.
        mints.set(key, [...new Set([...(mints.get(key) ?? []), ...mintsOfSymbol])]);
      }
    },
    /** Returns the mint of the known coin whose symbol, given by its key, a coin has borrowed; null when the symbol is free or the coin's own. */
    borrowedFrom(key: string, address: string): string | null {
      const known = mints.get(key);
      return known === undefined || known.includes(address) ? null : (known[0] ?? null);
    },
  };
}

/** Controls, direction and zero-width signs, private and unassigned characters, and combining marks: none of them changes how a symbol reads. */
const INVISIBLE = /[\p{C}\p{M}\p{Zl}\p{Zp}]/gu;
const SPACE = /\s+/gu;

/**
 * Returns the key under which symbols that look alike are one: cleaned of invisible characters, compatibility forms resolved
 * (NFKC), in capitals, and with look-alike letters folded (Unicode TS 39). null for a missing symbol or one without a visible character.
 */
export function symbolKey(symbol: string | null): string | null {
  if (symbol === null) return null;
  const plain = plainOf(symbol);
  return symbolIsMissing(plain) ? null : foldedOf(plain);
}

/** Returns the keys under which the symbols, and the names, of coins that look alike are one. */
export function copyKeys({ symbol, name }: Pick<Launch, 'symbol' | 'name'>): CopyKeys {
  const plain = name === null || nameIsMissing(name) ? '' : plainOf(name);
  return { symbol: symbolKey(symbol), name: plain === '' ? null : foldedOf(plain) };
}

function plainOf(text: string): string {
  // Decomposed first, so that an accent is a mark of its own.
  return text.normalize('NFKD').replace(INVISIBLE, '').normalize('NFKC').replace(SPACE, '');
}

function foldedOf(plain: string): string {
  return rectifyConfusion(plain.toUpperCase()).replace(SPACE, '').toUpperCase();
}
