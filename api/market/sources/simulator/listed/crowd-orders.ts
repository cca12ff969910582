import { CURVE_FEES_BPS, curveFeeOn, feeOn, quoteForTokens } from '../../../../../common/tokens/curve-trades.ts';
import { poolFeesAt, totalPoolFee } from '../../../../../common/tokens/pool-trades.ts';
import type { Coin } from '../coin/coin.ts';
import type { CrowdOrder } from './coin-chain.ts';

/** A trade that a simulated wallet wants: lamports without fees, base units, or a share (0–1) of its balance. */
export type Wish = { wallet: string } & (
  | { side: 'buy'; net: number }
  | { side: 'sell'; tokens: number }
  | { side: 'sell'; share: number }
);

const MOST_WISHES = 8;
/** Without its event after this time, ms, a trade has failed or comes later, from the missed ones. */
const PATIENCE = 5_000;
/** Least purchase, lamports. */
const LEAST_NET = 10_000;
/** What the buyer of a curve's last tokens offers beyond their price, which alone is taken: rounded fees must not leave one token. */
const LAST_ROOM = 1.01;

/** Creates what sends the trades of a coin one after the other, since each changes the price and the balances of the next. */
export function createCrowdOrders(coin: Coin, send: (order: CrowdOrder) => Promise<boolean>) {
  let wishes: Wish[] = [];
  let sent: { order: CrowdOrder; until: number } | null = null;

  function orderOf(wish: Wish): CrowdOrder | null {
    const { wallet, side } = wish;
    const amount = wish.side === 'buy' ? payment(coin, wish.net) : tokensOf(coin, wish);
    const venue = coin.stage === 'pool' ? 'pool' : 'curve';
    return amount < 1 ? null : { address: coin.address, creator: coin.creator, side, venue, wallet, amount };
  }

  return {
    /** Appends a wish. Wishes beyond a few are dropped: the crowd never lags behind. */
    add(wish: Wish): void {
      if (wishes.length < MOST_WISHES) wishes.push(wish);
    },
    /** Sends the next wish, unless one is on its way. */
    advance(now: number): void {
      if (sent !== null && now < sent.until) return;
      sent = null;
      while (sent === null && wishes.length > 0) {
        const wish = wishes.shift();
        const order = wish && coin.stage !== 'complete' ? orderOf(wish) : null;
        if (order === null) continue;
        const mine = { order, until: now + PATIENCE };
        sent = mine;
        void send(order).then((isTaken) => {
          if (!isTaken && sent === mine) sent = null;
        });
      }
    },
    /** Notes that the chain has made a trade of the crowd. */
    onTrade({ wallet, side }: { wallet: string; side: 'buy' | 'sell' }): void {
      if (sent?.order.wallet === wallet && sent.order.side === side) sent = null;
    },
    clear(): void {
      wishes = [];
    },
  };
}

/** Returns the lamports with fees of a purchase for `net`, on a curve hardly more than the rest of it costs; 0 for none. */
function payment({ reserves, stage }: Coin, net: number): number {
  const quote = Math.floor(net);
  if (quote < LEAST_NET) return 0;
  if (stage === 'pool') return quote + feeOn(quote, totalPoolFee(poolFeesAt(reserves)));
  const rest = quoteForTokens(reserves, reserves.realToken);
  if (quote < rest) return quote + curveFeeOn(quote, CURVE_FEES_BPS);
  return Math.ceil((rest + curveFeeOn(rest, CURVE_FEES_BPS)) * LAST_ROOM);
}

function tokensOf({ holders }: Coin, wish: Extract<Wish, { side: 'sell' }>): number {
  const balance = holders.balanceOf(wish.wallet);
  return Math.min(balance, 'share' in wish ? Math.ceil(balance * wish.share) : Math.floor(wish.tokens));
}
