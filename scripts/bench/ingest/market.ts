import type {
  CreatedObservation,
  CreatorChangedObservation,
  Reserves,
  TradeObservation,
} from '../../../api/market/sources/observation.ts';
import { STANDARD_CURVE } from '../../../common/tokens/curve.ts';
import { baseUnitsToTokens, lamportsToSol, roundSignificant } from '../../../common/tokens/units.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Wallets that trade one coin: few, as with real coins. */
const TRADERS = 10;
/** Lamports of one trade, before its digits. */
const TRADE = 20_000_000;

/** Slots of all trades: below those of any chain. */
export const FIRST_TRADE_SLOT = 5_000_000;
export const LAST_TRADE_SLOT = 100_000_000;

/** A trade with the price that the feed publishes once it is merged. */
interface SentTrade {
  observation: TradeObservation;
  /** Price in the patch that includes the trade. */
  price: number;
}

interface Coin {
  address: string;
  reserves: Reserves;
}

/** Creates coins on standard curves, bought and sold in turn so that prices move within bounds. */
export function createBenchCoins(count: number) {
  const coins = Array.from(
    { length: count },
    (_, number): Coin => ({ address: base58(number, 44), reserves: start() }),
  );
  const wallets = Array.from({ length: TRADERS }, (_, number) => base58(5_000_000 + number, 44));
  let trades = 0;

  return {
    created(number: number, at: number): CreatedObservation {
      const { address, reserves } = coinAt(coins, number);
      return {
        kind: 'created',
        source: 'solana',
        at,
        receivedAt: at,
        chain: { signature: base58(number, 88), index: 0, slot: 1_000 + number },
        address,
        name: `Bench coin ${number}`,
        symbol: `B${number}`,
        uri: `https://example.invalid/${number}`,
        creator: base58(1_000_000 + number, 44),
        user: base58(1_000_000 + number, 44),
        bondingCurve: base58(2_000_000 + number, 44),
        quote: 'SOL',
        decimals: STANDARD_CURVE.decimals,
        totalSupply: String(STANDARD_CURVE.totalSupply),
        reserves,
        launchpad: 'pump.fun',
        cluster: 'mainnet',
        mayhem: false,
        cashback: false,
        slotMs: null,
      };
    },

    trade(number: number, at: number): SentTrade {
      const coin = coinAt(coins, number);
      trades += 1;
      const side = coin.reserves.realQuote > 50 * TRADE ? 'sell' : 'buy';
      const quoteAmount = TRADE + (trades % 9_973);
      const before = coin.reserves;
      const virtualQuote = before.virtualQuote + (side === 'buy' ? quoteAmount : -quoteAmount);
      const virtualToken = Math.floor((before.virtualQuote * before.virtualToken) / virtualQuote);
      const tokenAmount = Math.abs(before.virtualToken - virtualToken);
      coin.reserves = {
        virtualQuote,
        virtualToken,
        realQuote: before.realQuote + virtualQuote - before.virtualQuote,
        realToken: before.realToken + virtualToken - before.virtualToken,
      };
      const observation: TradeObservation = {
        kind: 'trade',
        source: 'solana',
        at,
        receivedAt: at,
        chain: { signature: base58(10_000_000 + trades, 88), index: 1, slot: FIRST_TRADE_SLOT + trades },
        address: coin.address,
        side,
        wallet: wallets[trades % TRADERS] ?? '',
        quote: 'SOL',
        quoteAmount,
        tokenAmount,
        reserves: coin.reserves,
        creator: null,
        launchpad: 'pump.fun',
        cluster: 'mainnet',
        venue: 'curve',
      };
      return { observation, price: roundSignificant(priceOf(coin.reserves)) };
    },

    /** Returns a change of the wallet that earns a coin's fees: a fact, which is written before it is published. */
    feeWalletChanged({ address, chain, wallet, at }: TradeObservation): CreatorChangedObservation {
      const chainOf = { ...chain, index: chain.index + 1 };
      const wallets = { previous: null, creator: wallet };
      return { kind: 'creator-changed', source: 'solana', at, receivedAt: at, chain: chainOf, address, ...wallets };
    },
  };
}

function priceOf({ virtualQuote, virtualToken }: Reserves): number {
  return lamportsToSol(virtualQuote) / baseUnitsToTokens(virtualToken, STANDARD_CURVE.decimals);
}

function start(): Reserves {
  const { virtualQuote, virtualToken, realToken } = STANDARD_CURVE;
  return { virtualQuote, virtualToken, realQuote: 0, realToken };
}

function coinAt(coins: readonly Coin[], number: number): Coin {
  const coin = coins[number];
  if (coin === undefined) throw new Error(`there is no coin ${number}`);
  return coin;
}

/** Returns a base58 text of this length, unique for each number, with digits spread as in a real one. */
function base58(number: number, length: number): string {
  let text = '';
  let state = number + 1;
  for (let place = 0; place < length; place += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += ALPHABET.charAt(state % ALPHABET.length);
    // The last places hold the number itself, which makes the text unique.
    if (place >= length - 6)
      text = text.slice(0, -1) + ALPHABET.charAt(Math.floor(number / 58 ** (length - 1 - place)) % 58);
  }
  return text;
}
