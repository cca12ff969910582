import bs58 from 'bs58';
import { LAUNCH_SHARES } from '../figures.ts';
import type { Dice } from '../random.ts';

const ADDRESS_BYTES = 32;
/** So many base58 digits, the first of them above 1, always make 64 bytes; and drawing digits is far cheaper than converting bytes. */
const SIGNATURE_DIGITS = 87;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Digits that one random number gives: 58^5 is well below 2^32. */
const DIGITS_A_DRAW = 5;
/** Ordinary traders and bots that come back to coin after coin, and creators that may launch again. */
const TRADERS = 6_000;
const BOTS = 120;
const REMEMBERED_CREATORS = 400;

/** Addresses, signatures, and the wallets that take part in the market. */
export class Identities {
  readonly #dice: Dice;
  readonly #traders: string[] = [];
  readonly #bots: string[] = [];
  readonly #creators: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** 32 random bytes in base58, as a mint, wallet, curve or pool would have them. */
  address(): string {
    return bs58.encode(this.#dice.bytes(ADDRESS_BYTES));
  }

  signature(): string {
    let digits = BASE58.charAt(this.#dice.whole(2, BASE58.length - 1));
    while (digits.length < SIGNATURE_DIGITS) {
      let draw = this.#dice.whole(0, BASE58.length ** DIGITS_A_DRAW - 1);
      for (let i = 0; i < DIGITS_A_DRAW && digits.length < SIGNATURE_DIGITS; i += 1) {
        digits += BASE58.charAt(draw % BASE58.length);
        draw = Math.floor(draw / BASE58.length);
      }
    }
    return digits;
  }

  trader(): string {
    return this.#fromPool(this.#traders, TRADERS);
  }

  bot(): string {
    return this.#fromPool(this.#bots, BOTS);
  }

  /** A launch's creator: mostly a new wallet, otherwise one that launched before. */
  creator(): string {
    if (this.#creators.length > 0 && !this.#dice.chance(LAUNCH_SHARES.newCreator))
      return this.#dice.pick(this.#creators);
    const creator = this.address();
    this.rememberCreator(creator);
    return creator;
  }

  rememberCreator(creator: string): void {
    this.#creators.push(creator);
    if (this.#creators.length > REMEMBERED_CREATORS) this.#creators.shift();
  }

  /** Pools fill as they are drawn from: nothing is made up that nobody meets. */
  #fromPool(pool: string[], size: number): string {
    const place = this.#dice.whole(0, size - 1);
    const wallet = pool[place];
    if (wallet !== undefined) return wallet;
    const made = this.address();
    pool.push(made);
    return made;
  }
}
