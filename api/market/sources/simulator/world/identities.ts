import bs58 from 'bs58';
import type { Dice } from '../random.ts';

/** Bytes of an address, drawn for each. */
export const ADDRESS_BYTES = 32;
/**
 * This many base58 digits, the first above 1, always encode 64 bytes; drawing digits is much cheaper than converting bytes. The
 * middle ones are drawn once per market: the others are enough to make each signature unique.
 */
const SIGNATURE_DIGITS = { head: 10, middle: 67, tail: 10 } as const;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Digits of one random number: 58^5 is well below 2^32. */
const DIGITS_A_DRAW = 5;
/** Ordinary traders and bots that trade many coins. */
const TRADERS = 6_000;
const BOTS = 120;
/**
 * Estimates: share of ordinary wallets so young that their first transfer can be read, share of these that an exchange sent
 * their first SOL, and the number of the exchanges' wallets.
 */
const YOUNG_WALLETS = 0.2;
const FROM_EXCHANGE = 0.6;
const EXCHANGE_WALLETS = 40;

/** Addresses, signatures and wallets of the simulated market. */
export type Identities = ReturnType<typeof createIdentities>;

export function createIdentities(dice: Dice) {
  const traders: string[] = [];
  const bots: string[] = [];
  const exchanges: string[] = [];
  /** By ordinary wallet; bounded by the pools of traders and bots. */
  const funders = new Map<string, string | null>();
  const address = () => bs58.encode(dice.bytes(ADDRESS_BYTES));

  /** Pools fill as they are drawn from, so that no unused wallet is created. */
  function fromPool(pool: string[], size: number): string {
    const wallet = pool[dice.whole(0, size - 1)];
    if (wallet !== undefined) return wallet;
    const created = address();
    pool.push(created);
    return created;
  }

  function randomDigits(count: number): string {
    let digits = '';
    while (digits.length < count) {
      let draw = dice.whole(0, BASE58.length ** DIGITS_A_DRAW - 1);
      for (let i = 0; i < DIGITS_A_DRAW && digits.length < count; i += 1) {
        digits += BASE58.charAt(draw % BASE58.length);
        draw = Math.floor(draw / BASE58.length);
      }
    }
    return digits;
  }

  function firstFunder(): string | null {
    if (!dice.chance(YOUNG_WALLETS)) return null;
    return dice.chance(FROM_EXCHANGE) ? fromPool(exchanges, EXCHANGE_WALLETS) : address();
  }

  const middle = randomDigits(SIGNATURE_DIGITS.middle);

  return {
    /** Returns 32 random bytes in base58: a wallet, curve or pool. */
    address,
    signature(): string {
      const first = BASE58.charAt(dice.whole(2, BASE58.length - 1));
      return first + randomDigits(SIGNATURE_DIGITS.head - 1) + middle + randomDigits(SIGNATURE_DIGITS.tail);
    },
    trader: (): string => fromPool(traders, TRADERS),
    bot: (): string => fromPool(bots, BOTS),
    /** Returns the wallet that sent an ordinary wallet its first SOL; null for a wallet too old to read it. The same at each call. */
    funderOf(wallet: string): string | null {
      const known = funders.get(wallet);
      if (known !== undefined) return known;
      const funder = firstFunder();
      funders.set(wallet, funder);
      return funder;
    },
  };
}
