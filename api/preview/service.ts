import { PublicError } from '../../common/errors.ts';
import type { BuyPlan } from '../../common/strategies/conditions.ts';
import { type Clock, SECOND } from '../../common/time.ts';
import { solToLamports } from '../../common/tokens/units.ts';
import type { Exits, TradingLimits } from '../../common/trading/account.ts';
import { BPS } from '../../common/trading/amounts.ts';
import { type ExitPlan, exitsOfPlan } from '../../common/trading/exits.ts';
import type { NetworkFacts } from '../chain/network-facts.ts';
import { createLimiter, type Limit } from '../http/limits/rate-limits.ts';
import { cachedValue } from '../platform/cached-value.ts';
import type { PreviewOrders } from './outcome.ts';
import { loadPaths, type PathBounds, type PathDeps } from './paths.ts';
import { type Lists, runPreview } from './run.ts';

/** All previews share the paths for this long (ms): a moving slider must not read them each time. */
const SHARED_FOR = 30 * SECOND;
/** Limit of concurrent previews: they share the processor with the live feed. */
const MAX_RUNNING = 2;
/** Seconds after which a refused caller may retry: longer than a preview takes. */
const RETRY_AFTER = 3;
/** About 20 MB of memory. */
const BOUNDS: PathBounds = { tokens: 3000, points: 200_000 };

/** A plan with its orders: SOL of a purchase, slippage in percent, and what decides its exits besides the user's default ones. */
export interface PreviewPlan {
  plan: BuyPlan;
  buyAmount: number;
  maxSlippage: number;
  exits: ExitPlan;
}

export type Previews = Awaited<ReturnType<typeof createPreviews>>;

/** What a preview needs of a trading account. */
interface PreviewAccount {
  limits: Pick<TradingLimits, 'priorityMaxLamports' | 'tipLamports'>;
  defaults: { exits: Exits };
}

export interface PreviewDeps extends PathDeps {
  clock: Clock;
  watchlists: { of(userId: string): Promise<Lists> };
  accounts: { read(userId: string): Promise<PreviewAccount> };
  network: Pick<NetworkFacts, 'rentPerByte'>;
  limits: { previewPerUser: Limit };
  bounds?: PathBounds;
}

export async function createPreviews(deps: PreviewDeps) {
  const { connection, clock, watchlists, accounts, network, bounds = BOUNDS } = deps;
  const paths = cachedValue(() => loadPaths(deps, clock.now(), bounds), { maxAge: SHARED_FOR, clock });
  const limiter = await createLimiter(connection, 'previewPerUser', deps.limits.previewPerUser);
  /** Users with a running preview. */
  const running = new Set<string>();

  return {
    /**
     * Simulates the purchases of a plan over the last 8 h with the user's lists, default exits and priority fees. Throws `already-running` while a preview of the
     * same user runs, `too-many-requests` while previews of others run or beyond the rate limit, and the reason of `signal` once
     * aborted.
     */
    async run(userId: string, planned: PreviewPlan, signal: AbortSignal) {
      if (running.has(userId)) throw new PublicError('already-running', { retryAfter: RETRY_AFTER });
      if (running.size >= MAX_RUNNING) {
        const text = 'Too many previews are running. Please try again in a moment.';
        throw new PublicError('too-many-requests', { text, retryAfter: RETRY_AFTER });
      }
      running.add(userId);
      try {
        await limiter.count(userId);
        const [found, lists, account] = await Promise.all([paths.read(), watchlists.of(userId), accounts.read(userId)]);
        signal.throwIfAborted();
        return await runPreview(found, planned.plan, {
          orders: { ...ordersOf(planned, account), rentPerByte: network.rentPerByte() },
          lists,
          signal,
        });
      } finally {
        running.delete(userId);
      }
    },
  };
}

function ordersOf(
  { buyAmount, maxSlippage, exits }: PreviewPlan,
  { limits, defaults }: PreviewAccount,
): Omit<PreviewOrders, 'rentPerByte'> {
  return {
    lamports: solToLamports(buyAmount),
    slippageBps: Math.round((maxSlippage * BPS) / 100),
    priorityMaxLamports: limits.priorityMaxLamports,
    tipLamports: limits.tipLamports,
    exits: exitsOfPlan(exits, defaults.exits),
  };
}
