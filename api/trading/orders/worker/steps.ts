import type { OrderRecord } from '../record.ts';
import { createAttempt } from './attempt.ts';
import { createLook } from './look.ts';
import { createMoney } from './money.ts';
import { nextAction } from './next-action.ts';
import { createWrites, type Step, type StepDeps, type Stepped } from './step.ts';

/** Creates the function that does the next action of an order. */
export function createStep(deps: StepDeps): Step {
  const writes = createWrites(deps.orders);
  const look = createLook(deps, writes);
  const attempt = createAttempt(deps, writes, look);
  const { hold, finish } = createMoney(deps, writes, attempt);

  /** Shows a change in the list of transactions, which no step waits for: the last one of an order writes it in any case. */
  function shown(before: OrderRecord, stepped: Stepped): Stepped {
    const { order } = stepped;
    if (order.open && order.version !== before.version && order.attempts.length > 0) {
      deps.rows.record(order).catch(() => {});
    }
    return stepped;
  }

  const next: Step = (order, progress) => {
    const action = nextAction(order, deps.clock.now());
    switch (action.type) {
      case 'hold':
        return hold(order, progress);
      case 'attempt':
        return attempt(order, progress);
      case 'look':
        return look(order, progress);
      case 'cancel':
        return writes.changed(order, [{ type: 'cancelled', failure: action.reason }]);
      case 'give-up':
        return writes.changed(order, [{ type: 'given-up', failure: action.reason }]);
      case 'overdue':
        return writes.changed(order, [{ type: 'overdue' }]);
      case 'finish':
        return finish(order, progress);
    }
  };
  return async (order, progress) => shown(order, await next(order, progress));
}
