import { NEW_TOKEN_ALERT_AGE } from '../../../common/alerts/model.ts';
import { marketCapOf } from '../../../common/tokens/market-cap.ts';
import type { Token, TokenPatch } from '../../../common/tokens/model.ts';
import type { PatchContext } from '../../../common/tokens/patch.ts';
import { NumberSet } from './number-set.ts';
import { type Point, satisfies, saysNothingNew, type Thresholds } from './thresholds.ts';
import type { AlertUsers } from './users.ts';

/** Young tokens that are watched over: several times what Solana launches in an hour. Beyond it the oldest are let go. */
export const MAX_YOUNG = 50_000;

interface Young {
  token: Token;
  /** Epoch ms. */
  detectedAt: number;
  /** Everyone whom this point satisfies was asked; null: nobody yet. */
  asked: Point | null;
  /** Who was alerted; null: nobody. */
  alerted: NumberSet | null;
}

interface YoungDeps {
  users: AlertUsers;
  /** Of those who want alerts on new tokens. */
  thresholds: Thresholds;
  /** Takes who is to be alerted of a token. False: there is no room now; the next change of the token asks again. */
  found(token: Token, users: number[]): boolean;
  /** True: there is surely no room, so that nobody need be looked for. */
  isFull(): boolean;
}

/** The tokens that are young enough for an alert, and who was alerted of each. */
export class YoungTokens {
  /** About in the order of detection. */
  readonly #tokens = new Map<string, Young>();
  readonly #deps: YoungDeps;

  constructor(deps: YoungDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#tokens.size;
  }

  get(address: string): Token | undefined {
    return this.#tokens.get(address)?.token;
  }

  /** Takes up a token, and whom it is of interest to; `alerted`: who was alerted of it already. `now`: epoch ms. */
  add(token: Token, now: number, alerted: readonly number[] = []): void {
    if (!isYoung(token, now)) return;
    // A copy: what is handed to everybody must not change afterwards.
    const young = { token: { ...token }, detectedAt: Date.parse(token.detectedAt), asked: null, alerted: null };
    this.#tokens.set(token.address, young);
    for (const user of alerted) this.wasAlerted(token.address, user);
    this.#ask(young);
    this.#letGo(now);
  }

  /** Remembers that this user was alerted of this token. */
  wasAlerted(address: string, user: number): void {
    const young = this.#tokens.get(address);
    if (!young) return;
    young.alerted ??= new NumberSet();
    young.alerted.add(user);
  }

  patch(patch: TokenPatch, { at, solUsd }: PatchContext): void {
    const young = this.#tokens.get(patch.address);
    if (!young || patch.version <= young.token.version) return;
    // In place: thousands of patches a second, and nobody else holds this token.
    const token = Object.assign(young.token, patch);
    if (patch.price !== undefined && patch.marketCap === undefined) token.marketCap = marketCapOf(token, solUsd);
    const says = patch.currentLiquidity !== undefined || patch.scamProbability !== undefined;
    // What found no room was not asked, whatever this patch is about.
    if (!says && young.asked !== null) return;
    if (isYoung(token, at)) this.#ask(young);
    else this.#tokens.delete(patch.address);
  }

  /** Asks one user of all tokens: one who was there before we knew. */
  askOf(user: number): void {
    const threshold = this.#deps.thresholds.get(user);
    const since = this.#deps.users.at(user)?.since;
    if (!threshold || since === undefined) return;
    for (const young of this.#tokens.values()) {
      const now = pointOf(young.token);
      if (now && young.detectedAt > since && satisfies(now, threshold)) this.#tell(young, [user]);
    }
  }

  remove(address: string): void {
    this.#tokens.delete(address);
  }

  clear(): void {
    this.#tokens.clear();
  }

  #ask(young: Young): void {
    const now = pointOf(young.token);
    if (!now || (young.asked && saysNothingNew(now, young.asked))) return;
    const { users, thresholds, isFull } = this.#deps;
    // Ten thousand users are not looked through again with every patch while the database is away.
    if (isFull()) {
      young.asked = null;
      return;
    }
    const matching: number[] = [];
    thresholds.reached(now, young.asked, (user) => {
      const since = users.at(user)?.since;
      if (since !== undefined && young.detectedAt > since) matching.push(user);
    });
    if (this.#tell(young, matching)) young.asked = now;
  }

  #tell(young: Young, users: readonly number[]): boolean {
    const fresh: number[] = [];
    const alerted = young.alerted ?? new NumberSet();
    for (const user of users) if (!alerted.has(user)) fresh.push(user);
    if (fresh.length === 0) return true;
    // As it is now: it may wait for its turn, and must not change meanwhile.
    if (!this.#deps.found({ ...young.token }, fresh)) return false;
    for (const user of fresh) alerted.add(user);
    young.alerted = alerted;
    return true;
  }

  #letGo(now: number): void {
    for (const [address, { token }] of this.#tokens) {
      if (this.#tokens.size <= MAX_YOUNG && isYoung(token, now)) return;
      this.#tokens.delete(address);
    }
  }
}

/** By its creation, or by its detection where that is not known: then it may turn out to be. */
export function isYoung({ createdAt, detectedAt }: Token, now: number): boolean {
  return now - Date.parse(createdAt ?? detectedAt) < NEW_TOKEN_ALERT_AGE;
}

/**
 * Null while something is not known: unknown is not safe, not enough, and not new either, since a token that is first seen
 * by a trade may be of any age.
 */
function pointOf({ scamProbability: risk, currentLiquidity: liquidity, createdAt }: Token): Point | null {
  return risk === null || liquidity === null || createdAt === null ? null : { risk, liquidity };
}
