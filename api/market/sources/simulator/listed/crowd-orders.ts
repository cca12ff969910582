import { CURVE_FEES_BPS, curveFeeOn, quoteForTokens } from '../../../../../common/tokens/curve-trades.ts';
import type { Coin } from '../coin/coin.ts';
import type { CrowdOrder } from './coin-chain.ts';

/** A trade that a simulated wallet wants: lamports without fees, base units, or a share (0–1) of its balance. */
export type Wish = { wallet: string } & (
  | { side: 'buy'; net: number }
  | { side: 'sell'; tokens: number }
  | { side: 'sell'; share: number }
);

/** Sends the trades of a coin one after the other, since each changes the price and the balances of the next. */
export interface CrowdOrders {
  /** Appends a wish. Wishes beyond a few are dropped: the crowd never lags behind. */
  add(wish: Wish): void;
  /** Sends the next wish, unless one is on its way. */
  advance(now: number): void;
  /** Notes that the chain has made a trade of the crowd. */
  onTrade(trade: { wallet: string; side: 'buy' | 'sell' }): void;
  clear(): void;
}

const MOST_WISHES = 8;
/** Without its event after this time, ms, a trade has failed or comes later, from the missed ones. */
const PATIENCE = 5_000;
/** Least purchase, lamports. */
const LEAST_NET = 10_000;
/** Base units that the crowd leaves on the curve: on the local chain a sold-out coin has no pool, and could not be traded. */
const KEPT_TOKENS = 20_000_000_000_000;

export function createCrowdOrders(coin: Coin, send: (order: CrowdOrder) => Promise<boolean>): CrowdOrders {
  let wishes: Wish[] = [];
  let sent: { order: CrowdOrder; until: number } | null = null;

  function orderOf(wish: Wish): CrowdOrder | null {
    const { wallet, side } = wish;
    const amount = wish.side === 'buy' ? payment(coin, wish.net) : tokensOf(coin, wish);
    return amount < 1 ? null : { address: coin.address, creator: coin.creator, side, wallet, amount };
  }

  return {
    add(wish) {
      if (wishes.length < MOST_WISHES) wishes.push(wish);
    },
    advance(now) {
      if (sent !== null && now < sent.until) return;
      sent = null;
      while (sent === null && wishes.length > 0) {
        const wish = wishes.shift();
        const order = wish && coin.stage === 'curve' ? orderOf(wish) : null;
        if (order === null) continue;
        const mine = { order, until: now + PATIENCE };
        sent = mine;
        void send(order).then((isTaken) => {
          if (!isTaken && sent === mine) sent = null;
        });
      }
    },
    onTrade({ wallet, side }) {
      if (sent?.order.wallet === wallet && sent.order.side === side) sent = null;
    },
    clear() {
      wishes = [];
    },
  };
}

/** Returns the lamports with fees of a purchase for `net`, at most what leaves the kept tokens; 0 for none. */
function payment({ reserves }: Coin, net: number): number {
  const buyable = reserves.realToken - KEPT_TOKENS;
  if (buyable < 1) return 0;
  const quote = Math.min(Math.floor(net), quoteForTokens(reserves, buyable));
  return quote < LEAST_NET ? 0 : quote + curveFeeOn(quote, CURVE_FEES_BPS);
}

function tokensOf({ holders }: Coin, wish: Extract<Wish, { side: 'sell' }>): number {
  const balance = holders.balanceOf(wish.wallet);
  return Math.min(balance, 'share' in wish ? Math.ceil(balance * wish.share) : Math.floor(wish.tokens));
}
