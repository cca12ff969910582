import { PublicError } from '../../../common/errors.ts';
import type { ReplayPlan } from '../../../common/replay/model.ts';
import { ruleAsPlan } from '../../../common/rules/conditions.ts';
import { solToLamports } from '../../../common/tokens/units.ts';
import { PAPER_START_LAMPORTS } from '../../../common/trading/account.ts';
import { BPS } from '../../../common/trading/amounts.ts';
import { exitsOfPlan } from '../../../common/trading/exits.ts';
import { dayOf, emptyBook } from '../../../common/trading/limits/book.ts';
import { isAutomatic } from '../../../common/trading/order.ts';
import type { CoreAccount, CorePlan } from '../core/model.ts';
import type { PlanUser } from '../engine/inputs/user-reader.ts';
import { type Delays, delaysOf } from '../paper/paper-delay.ts';
import { hourBegin } from '../tape/format.ts';
import type { ReplayJob } from './job.ts';
import { type HourModels, readLiveHour, readOpening } from './live-hour.ts';

export interface JobDeps {
  models: HourModels;
  /** Reads a user with the present limits, exits and lists. */
  readUser(userId: string): Promise<PlanUser>;
  /** Returns all plans of a user, also inactive ones, hexadecimal. */
  planIds(userId: string): Promise<string[]>;
  /** Returns the begin of a user's play money, epoch ms. */
  resetAt(userId: string): Promise<number>;
  /** Returns times of the last real orders from decision to verdict, ms. */
  samples(): Promise<readonly number[]>;
}

/** Plan of a run that is not stored. */
const UNSTORED = '0'.repeat(24);
/** Wallet of a run for a user who has none. */
const NO_WALLET = 'paper';

/** Creates the function that collects everything a run needs. */
export function createJobs(deps: JobDeps) {
  return async (userId: string, hour: string, input: ReplayPlan): Promise<Omit<ReplayJob, 'dir' | 'until'>> => {
    const [user, ran] = await Promise.all([
      deps.readUser(userId),
      readLiveHour(deps.models, { userId, hour, of: null }),
    ]);
    const wallet = user.account.wallet?.address ?? NO_WALLET;
    const common = { hour, userId, wallet, defaultExits: user.defaultExits, live: ran };
    const opening = { fills: [], boughtBy: [wallet], resetAt: null };
    if (input.kind === 'recorded') {
      const ids = await deps.planIds(userId);
      const onPaper = ran.mode === 'paper' ? ran : await readLiveHour(deps.models, { userId, hour, of: 'paper' });
      const mode = onPaper.orders.some(({ cause }) => isAutomatic(cause)) ? 'paper' : (ran.mode ?? user.account.mode);
      // Orders on a chain can't be computed again.
      if (mode === 'local' || mode === 'live') {
        const own = { account: accountOf(user.account, hour), delays: delaysOf(await deps.samples()) };
        return { ...common, plans: { type: 'filled', ids, ...own }, opening };
      }
      const resetAt = await deps.resetAt(userId);
      const held = await readOpening(deps.models, { userId, resetAt }, hour);
      return { ...common, live: onPaper, plans: { type: 'recorded', ids }, opening: held };
    }
    const delays = delaysOf(await deps.samples());
    return { ...common, plans: ownPlans({ userId, hour, input, user, delays }), opening };
  };
}

type OwnInput = Exclude<ReplayPlan, { kind: 'recorded' }>;

interface OwnTask {
  userId: string;
  hour: string;
  input: OwnInput;
  user: PlanUser;
  delays: Delays;
}

function ownPlans({ userId, hour, input, user, delays }: OwnTask): ReplayJob['plans'] {
  const { white, black } = user.lists;
  return {
    type: 'own',
    plan: { ...planOf(input, user), userId, activeSince: hourBegin(hour) },
    account: accountOf(user.account, hour),
    lists: [
      ...[...white].map((address) => ({ address, listed: 'white' as const })),
      ...[...black].map((address) => ({ address, listed: 'black' as const })),
    ],
    delays,
  };
}

/** Returns the account of a run: the limits of now, the budget of a new day, and nothing bought yet. */
function accountOf(account: CoreAccount, hour: string): CoreAccount {
  if (account.mode === null) throw new PublicError('trading-off');
  return {
    ...account,
    mode: 'paper',
    isUserActive: true,
    wallet: account.wallet ?? { address: NO_WALLET, hasKey: false },
    tradesPools: true,
    ...{ isStopped: false, areExitsPaused: false },
    moneyLamports: account.mode === 'paper' ? account.moneyLamports : PAPER_START_LAMPORTS,
    unknownOrders: 0,
    book: emptyBook(dayOf(hourBegin(hour))),
  };
}

type PlanFields = Omit<CorePlan, 'userId' | 'activeSince'>;

function planOf(input: OwnInput, { defaultExits }: PlanUser): PlanFields {
  const id = input.id ?? UNSTORED;
  if (input.kind === 'rule') {
    const { rule } = input;
    const { type, configuration } = ruleAsPlan({ ...rule, isActive: true }, true);
    return {
      ...{ id, kind: 'rule', name: rule.name, conditions: { type, configuration } },
      ...{ lamports: solToLamports(rule.buyAmount), slippageBps: bpsOf(rule.maxSlippage) },
      ...{ minLiquidity: rule.minLiquidity, maxRisk: rule.maxRisk, buyUnknownRisk: rule.buyUnknownRisk },
      buyWithinSeconds: rule.buyWithinSeconds,
      exits: exitsOfPlan({ kind: 'rule' }, defaultExits),
    };
  }
  const { strategy } = input;
  const { type, configuration, stopLoss, takeProfit, minLiquidity = null, maxScamProbability = null } = strategy;
  return {
    ...{ id, kind: 'strategy', name: strategy.name, conditions: { type, configuration } },
    ...{ lamports: solToLamports(strategy.buyAmount), slippageBps: bpsOf(strategy.maxSlippage) },
    ...{ minLiquidity, maxRisk: maxScamProbability, buyUnknownRisk: strategy.buyUnknownRisk },
    buyWithinSeconds: strategy.buyWithinSeconds ?? null,
    exits: exitsOfPlan({ kind: 'strategy', stopLoss, takeProfit }, defaultExits),
  };
}

function bpsOf(percent: number): number {
  return Math.round((percent * BPS) / 100);
}
