import { MINUTE, SECOND } from '../../../common/time.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { note } from './judge/answers.ts';
import { refuse } from './judge/ask.ts';
import { release } from './judge/candidates.ts';
import type { CoreOrder, PendingBuy } from './model.ts';
import type { Moments } from './moments/moments.ts';
import { addRefusal, addTried, type CoreState } from './state/core-state.ts';
import { PAIR, setState, stateOf } from './state/pairs.ts';

/**
 * Time until a refused order is asked for again, doubled each time, ms. It never stays out: a deposit in a wallet or a node that is
 * back changes neither figures nor account. What the account shows ends the wait (`retries.ts`).
 */
const FIRST_RETRY_MS = SECOND;
const LONGEST_RETRY_MS = 10 * MINUTE;

/** Follows an order of the core. One that it does not know, from before a restart, is only remembered (R2). */
export function onOrder(state: CoreState, moments: Moments, order: CoreOrder): void {
  const { key, state: progress } = order;
  const user = state.ordering.get(key);
  const pending = user?.pending.get(key);
  if (!user || !pending) {
    if (progress !== 'refused') addTried(state, key);
    return;
  }
  if (progress === 'stored') return;
  user.refusals.at = 0;
  if (progress === 'held') {
    user.pending.set(key, { ...pending, isHeld: true });
  } else {
    user.pending.delete(key);
    state.ordering.delete(key);
    if (progress === 'over') end(state, pending, order);
    else takeBack(state, moments, pending, order);
  }
  release(state, user, Math.max(state.now, state.clock));
  state.toSchedule.add(user);
}

function end(state: CoreState, { buy: { planId, address } }: PendingBuy, { hasBought, reason: why }: CoreOrder): void {
  const [active, token] = [state.plans.get(planId), state.tokens.get(address)];
  if (!active || !token) return;
  const before = stateOf(token, active.slot);
  setState(token, active.slot, hasBought ? PAIR.bought : PAIR.tried, state.plans.slots);
  if (hasBought) return;
  note(state, active, token, { before, reason: why ?? reason('already-tried'), at: state.now, isFinal: true });
}

function takeBack(state: CoreState, moments: Moments, { buy }: PendingBuy, order: CoreOrder): void {
  const { key, planId, address } = buy;
  state.tried.delete(key);
  const tries = (state.refusals.get(key)?.tries ?? 0) + 1;
  const until = state.now + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
  const why = order.reason ?? reason('database-away');
  addRefusal(state, key, { planId, address, tries, until, reason: why });
  moments.addRefusal(key, until);
  const [active, token] = [state.plans.get(planId), state.tokens.get(address)];
  if (active && token) refuse(state, active, token, why, state.now);
}
