import { PublicError } from '../../../common/errors.ts';
import type { ReplayPlan } from '../../../common/replay/model.ts';
import { ruleAsPlan } from '../../../common/rules/conditions.ts';
import { solToLamports } from '../../../common/tokens/units.ts';
import { PAPER_START_LAMPORTS } from '../../../common/trading/account.ts';
import { BPS } from '../../../common/trading/amounts.ts';
import { exitsOfPlan } from '../../../common/trading/exits.ts';
import { dayOf, emptyBook } from '../../../common/trading/limits/book.ts';
import { delaysOf } from '../paper/paper-delay.ts';
import type { CoreAccount, CorePlan } from '../plans/core/model.ts';
import type { PlanUser } from '../plans/user-reader.ts';
import { hourBegin } from '../tape/format.ts';
import type { ReplayJob } from './run-job.ts';

export interface JobDeps {
  /** Reads a user with the present limits, exits and lists. */
  readUser(userId: string): Promise<PlanUser>;
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
    const user = await deps.readUser(userId);
    const { white, black } = user.lists;
    return {
      hour,
      plan: { ...planOf(input, user), userId, activeSince: hourBegin(hour) },
      account: accountOf(user.account, hour),
      lists: [
        ...[...white].map((address) => ({ address, listed: 'white' as const })),
        ...[...black].map((address) => ({ address, listed: 'black' as const })),
      ],
      delays: delaysOf(await deps.samples()),
    };
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
    isStopped: false,
    moneyLamports: account.mode === 'paper' ? account.moneyLamports : PAPER_START_LAMPORTS,
    unknownOrders: 0,
    book: emptyBook(dayOf(hourBegin(hour))),
  };
}

type PlanFields = Omit<CorePlan, 'userId' | 'activeSince'>;

function planOf(input: ReplayPlan, { defaultExits }: PlanUser): PlanFields {
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
