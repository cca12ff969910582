import { PRICE_ALERT_PERCENT } from '../../../common/alerts/model.ts';

/** Prices that are watched over, each for one user; beyond it nothing more is taken up. About 24 bytes each. */
export const MAX_REFERENCES = 1_000_000;

/** Prices have six digits: what multiplying makes of the last one of sixteen must not decide. */
const ROUNDING = 1e-9;
const UP = 1 + PRICE_ALERT_PERCENT / 100 - ROUNDING;
const DOWN = 1 - PRICE_ALERT_PERCENT / 100 + ROUNDING;

/** A price that a user's alert counts from. */
export interface Reference {
  user: number;
  /** SOL; null: the first that is told. */
  price: number | null;
  /** When it was this, epoch ms. */
  since: number;
}

/** What one token is watched from: three columns, one place a reference. */
interface TokenReferences {
  users: number[];
  /** SOL; NaN until a price is known. */
  prices: number[];
  since: number[];
  /** No price between these two has anything to say. */
  low: number;
  high: number;
  /** Whether some price is not known yet. */
  isOpen: boolean;
}

interface ReferenceDeps {
  /** Takes who is to be told of a move. False: there is no room now; the next price asks again. */
  moved(address: string, price: number, moved: readonly Reference[]): boolean;
  /** True: there is surely no room, so that nobody need be looked for. */
  isFull(): boolean;
  /** These users' references had no price, and have this one from now on. */
  settled?(address: string, price: number, users: readonly number[]): void;
  max?: number;
}

/** From which prices on users are told of a token's moves. A price that moves nobody costs a look-up and two comparisons. */
export class PriceReferences {
  readonly #tokens = new Map<string, TokenReferences>();
  readonly #deps: ReferenceDeps;
  #count = 0;

  constructor(deps: ReferenceDeps) {
    this.#deps = deps;
  }

  get count(): number {
    return this.#count;
  }

  /** False when there is no room. */
  add(address: string, reference: Reference): boolean {
    if (this.#count >= (this.#deps.max ?? MAX_REFERENCES)) return false;
    const token = this.#tokens.get(address) ?? empty();
    this.#tokens.set(address, token);
    put(token, reference);
    this.#count += 1;
    return true;
  }

  /** What this user watched this token from is forgotten. */
  remove(address: string, user: number): void {
    const token = this.#tokens.get(address);
    if (token?.users.includes(user)) this.#keep(address, token, (reference) => reference.user !== user);
  }

  forget(address: string): void {
    this.#count -= this.#tokens.get(address)?.users.length ?? 0;
    this.#tokens.delete(address);
  }

  clear(): void {
    this.#tokens.clear();
    this.#count = 0;
  }

  /** The token has this price now, SOL. */
  price(address: string, price: number): void {
    const token = this.#tokens.get(address);
    if (!token || price <= 0) return;
    if (token.isOpen) this.#settle(address, token, price);
    if ((price > token.low && price < token.high) || this.#deps.isFull()) return;
    const moved = [...all(token)].filter((reference) => hasMoved(reference, price));
    if (moved.length === 0 || !this.#deps.moved(address, price, moved)) return;
    this.#keep(address, token, (reference) => !hasMoved(reference, price));
  }

  #settle(address: string, token: TokenReferences, price: number): void {
    const settled: number[] = [];
    for (const [place, user] of token.users.entries()) {
      if (!Number.isNaN(token.prices[place])) continue;
      token.prices[place] = price;
      widen(token, price);
      settled.push(user);
    }
    token.isOpen = false;
    this.#deps.settled?.(address, price, settled);
  }

  #keep(address: string, token: TokenReferences, isKept: (reference: Reference) => boolean): void {
    const rest = empty();
    for (const reference of all(token)) if (isKept(reference)) put(rest, reference);
    this.#count += rest.users.length - token.users.length;
    if (rest.users.length === 0) this.#tokens.delete(address);
    else this.#tokens.set(address, rest);
  }
}

function empty(): TokenReferences {
  return { users: [], prices: [], since: [], low: 0, high: Number.POSITIVE_INFINITY, isOpen: false };
}

function put(token: TokenReferences, { user, price, since }: Reference): void {
  // Nothing can be told of a move from nothing.
  const from = price === null || price <= 0 ? Number.NaN : price;
  token.users.push(user);
  token.prices.push(from);
  token.since.push(since);
  if (Number.isNaN(from)) token.isOpen = true;
  else widen(token, from);
}

function widen(token: TokenReferences, from: number): void {
  token.low = Math.max(token.low, from * DOWN);
  token.high = Math.min(token.high, from * UP);
}

function* all(token: TokenReferences): Generator<Reference> {
  for (const [place, user] of token.users.entries()) {
    const price = token.prices[place] ?? Number.NaN;
    yield { user, price: Number.isNaN(price) ? null : price, since: token.since[place] ?? 0 };
  }
}

function hasMoved({ price: from }: Reference, price: number): boolean {
  return from !== null && (price >= from * UP || price <= from * DOWN);
}
