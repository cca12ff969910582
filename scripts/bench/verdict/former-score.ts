import type { CreatedObservation, TradeObservation } from '../../../api/market/sources/observation.ts';
import type { TokenObservation } from '../../../api/market/token/merge/merge.ts';
import { isStandardStart, STANDARD_CURVE } from '../../../common/tokens/curve.ts';
import { symbolIsMissing } from '../../../common/tokens/names.ts';

/** Points above each limit. */
type Steps = readonly (readonly [limit: number, points: number])[];

const STEPS = {
  topTen: [
    [30, 5],
    [50, 10],
    [70, 15],
  ],
  largestWallet: [
    [10, 4],
    [20, 8],
    [50, 15],
  ],
  creatorHolds: [
    [5, 4],
    [10, 8],
    [20, 12],
  ],
  sameSlotBuyers: [
    [5, 5],
    [15, 10],
    [30, 15],
  ],
} as const satisfies Record<string, Steps>;

const SOL = 1_000_000_000;
/** ms after the creation in which a sale of the creator counted. */
const EARLY_SALE_SPAN = 60_000;
/** Below this share of known points there was no score; a hard flag lifted the score to the second figure. */
const MIN_COVERAGE = 0.5;
const HARD_FLAG_SCORE = 90;

/** One check's share of the score: the most it could add, its points (null: unknown), and whether it was a hard flag. */
interface Points {
  max: number;
  points: number | null;
  hard?: boolean;
}

/** The state of a coin that the former score was computed from. */
interface Coin {
  created: CreatedObservation;
  balances: Map<string, number>;
  sameSlot: Set<string>;
  creatorFirstBuy: number;
  creatorSoldEarly: number;
  buysWithoutSell: number;
  hasOtherSold: boolean;
  /** Real quote side in SOL, and its highest value. */
  liquidity: number;
  peakLiquidity: number;
  inPool: boolean;
  rugged: boolean;
}

/** The control of the bench: the risk score as the product computed it before insiders and exits were remembered. */
export interface FormerScore {
  observe(observation: TokenObservation): void;
  /** Returns the score 0–100 of a coin at `now`; null when unknown. */
  score(address: string, now: number): number | null;
}

/**
 * Creates the control: the checks and limits of the product in its version 0.1.0, with the facts that the event stream alone
 * gives (no account was read). `solPerQuote` converts units of a quote other than SOL.
 */
export function createFormerScore(solPerQuote: number): FormerScore {
  const coins = new Map<string, Coin>();
  const byCreator = new Map<string, Coin[]>();
  const bySymbol = new Map<string, Coin[]>();

  function applyTrade(coin: Coin, trade: TradeObservation): void {
    applyToLedger(coin, trade);
    coin.liquidity = trade.quote === 'SOL' ? trade.reserves.realQuote / SOL : trade.reserves.realQuote * solPerQuote;
    coin.peakLiquidity = Math.max(coin.peakLiquidity, coin.liquidity);
    const isLeft = coin.liquidity > coin.peakLiquidity * 0.2;
    if (soldEarly(coin) >= 50 && coin.peakLiquidity >= 1 && !isLeft) coin.rugged = true;
  }

  function pointsOf(coin: Coin, now: number): Points[] {
    const { created } = coin;
    const earlier = (byCreator.get(created.creator) ?? []).filter((other) => other !== coin && isBefore(other, coin));
    const rugs = earlier.length === 0 ? null : earlier.filter(({ rugged }) => rugged).length;
    const key = symbolKey(created.symbol);
    const isTwin =
      key === null ? null : (bySymbol.get(key) ?? []).some((other) => other !== coin && isBefore(other, coin));
    // pump.fun gives up both authorities; in mayhem mode nothing was assumed.
    const control = { max: 15, points: created.mayhem ? null : 0 };
    return [
      control,
      control,
      control,
      { ...flag(20, rugs === null ? null : rugs >= 1), hard: rugs !== null && rugs >= 2 },
      ...sharePoints(coin),
      flag(15, isEarlySale(coin, now)),
      ...(coin.inPool ? [{ max: 18, points: 0 }] : []),
      { max: 12, points: launchPoints(earlier.length) },
      // Transfer fee and metadata account: never read here.
      { max: 12, points: null },
      { max: 2, points: null },
      { max: 10, points: liquidityPoints(coin.liquidity) },
      flag(10, coin.buysWithoutSell >= 20),
      flag(8, !isStandardStart(created.reserves, created.quote === 'SOL')),
      flag(5, isTwin),
      { max: 5, points: holderPoints(coin.balances.size) },
      flag(2, created.uri.trim() === ''),
    ];
  }

  return {
    observe(observation) {
      if (observation.kind === 'created') {
        const coin = newCoin(observation);
        coins.set(observation.address, coin);
        addTo(byCreator, observation.creator, coin);
        const key = symbolKey(observation.symbol);
        if (key !== null) addTo(bySymbol, key, coin);
      }
      const coin = coins.get(observation.address);
      if (coin === undefined) return;
      if (observation.kind === 'trade') applyTrade(coin, observation);
      if (observation.kind === 'migrated') coin.inPool = true;
    },
    score(address, now) {
      const coin = coins.get(address);
      return coin === undefined ? null : scoreOf(pointsOf(coin, now));
    },
  };
}

function newCoin(created: CreatedObservation): Coin {
  return {
    created,
    balances: new Map(),
    sameSlot: new Set(),
    creatorFirstBuy: 0,
    creatorSoldEarly: 0,
    buysWithoutSell: 0,
    hasOtherSold: false,
    liquidity: 0,
    peakLiquidity: 0,
    inPool: false,
    rugged: false,
  };
}

function applyToLedger(coin: Coin, { at, side, wallet, tokenAmount, chain }: TradeObservation): void {
  const { created, balances } = coin;
  const next = (balances.get(wallet) ?? 0) + (side === 'buy' ? tokenAmount : -tokenAmount);
  if (next > 0) balances.set(wallet, next);
  else balances.delete(wallet);
  const isCreator = wallet === created.creator;
  if (side === 'buy') {
    if (isCreator && coin.creatorFirstBuy === 0) coin.creatorFirstBuy = tokenAmount;
    if (!isCreator && chain.slot !== null && chain.slot === created.chain.slot) coin.sameSlot.add(wallet);
    if (!coin.hasOtherSold) coin.buysWithoutSell += 1;
  } else if (!isCreator) {
    coin.hasOtherSold = true;
    coin.buysWithoutSell = 0;
  } else if (at - created.at <= EARLY_SALE_SPAN) coin.creatorSoldEarly += tokenAmount;
}

function sharePoints({ created, balances, sameSlot }: Coin): Points[] {
  const supply = STANDARD_CURVE.totalSupply;
  const amounts = [...balances.values()].sort((a, b) => b - a);
  let bundled = 0;
  for (const wallet of sameSlot) bundled += balances.get(wallet) ?? 0;
  const share = (steps: Steps, amount: number): Points => {
    let points = 0;
    for (const [limit, worth] of steps) if (amount / supply > limit / 100) points = worth;
    return { max: steps.at(-1)?.[1] ?? 0, points };
  };
  return [
    share(
      STEPS.topTen,
      amounts.slice(0, 10).reduce((sum, amount) => sum + amount, 0),
    ),
    share(STEPS.largestWallet, amounts[0] ?? 0),
    share(STEPS.creatorHolds, balances.get(created.creator) ?? 0),
    share(STEPS.sameSlotBuyers, bundled),
  ];
}

/** Returns whether the creator sold early; null before the 60 s are over unless the limit is reached sooner. */
function isEarlySale(coin: Coin, now: number): boolean | null {
  if (soldEarly(coin) >= 50) return true;
  return now - coin.created.at > EARLY_SALE_SPAN ? false : null;
}

function flag(max: number, isRisk: boolean | null): Points {
  if (isRisk === null) return { max, points: null };
  return { max, points: isRisk ? max : 0 };
}

function launchPoints(launches: number): number {
  if (launches >= 10) return 12;
  return launches >= 3 ? 6 : 0;
}

function liquidityPoints(sol: number): number {
  if (sol < 1) return 10;
  if (sol < 5) return 6;
  return sol < 20 ? 3 : 0;
}

function holderPoints(holders: number): number {
  if (holders < 10) return 5;
  return holders < 30 ? 2 : 0;
}

/** Returns percent 0–100 of its first buy that the creator sold early. */
function soldEarly({ creatorFirstBuy, creatorSoldEarly }: Coin): number {
  return creatorFirstBuy === 0 ? 0 : Math.min(100, (creatorSoldEarly / creatorFirstBuy) * 100);
}

function scoreOf(checks: readonly Points[]): number | null {
  let sum = 0;
  let known = 0;
  let total = 0;
  for (const { max, points } of checks) {
    total += max;
    if (points === null) continue;
    known += max;
    sum += points;
  }
  const score = Math.min(100, sum);
  if (checks.some(({ hard }) => hard === true)) return Math.max(HARD_FLAG_SCORE, score);
  return known / total < MIN_COVERAGE ? null : score;
}

function isBefore(other: Coin, coin: Coin): boolean {
  return other.created.at <= coin.created.at;
}

function symbolKey(symbol: string): string | null {
  return symbolIsMissing(symbol) ? null : symbol.trim().toUpperCase();
}

function addTo(coins: Map<string, Coin[]>, key: string, coin: Coin): void {
  const known = coins.get(key);
  if (known) known.push(coin);
  else coins.set(key, [coin]);
}
