import type { ReplayResult } from '../../../common/replay/model.ts';
import { HOUR, isoSpan, MINUTE } from '../../../common/time.ts';
import { createCore } from '../core/step.ts';
import { delayOf } from '../paper/paper-delay.ts';
import { effectAt } from '../positions/fills/plan-fill.ts';
import { hourBegin, hourEnd, hourOf, type TapeOrder } from '../tape/format.ts';
import { LATE_MS, readHour } from '../tape/reader.ts';
import { createDeskPositions } from './desk/positions.ts';
import type { LiveHour, ReplayJob } from './job.ts';
import { refusalsOf } from './refusals.ts';
import { sideOf, type TradedPositions } from './rows.ts';
import { createReplay, type Replay } from './run.ts';
import type { ReplayTask } from './run-task.ts';

/** Time after an hour in which the orders of its end are over. */
const ORDERS_END_MS = 2 * MINUTE;
/** Least progress that is reported. */
const PROGRESS_STEP = 0.01;

/** Runs a job over its hour. Rejects when nothing of the hour can be read. */
export async function runJob(job: ReplayJob, onProgress: (progress: number) => void): Promise<ReplayResult | null> {
  const { dir, hour, until } = job;
  const replay = createReplay(await taskOf(job), createCore);
  let reported = 0;
  await runHour(replay, { dir, hour, until }, () => {
    const progress = ((replay.span()?.to ?? hourBegin(hour)) - hourBegin(hour)) / HOUR;
    if (progress < reported + PROGRESS_STEP) return;
    reported = progress;
    onProgress(Math.min(1, progress));
  });
  return resultOf(replay, job);
}

/** Hands a run its hour, up to `until` (epoch ms). */
export async function runHour(
  replay: Replay,
  { dir, hour, until }: Pick<ReplayJob, 'dir' | 'hour' | 'until'>,
  onEntry: () => void = () => {},
): Promise<void> {
  for await (const entry of readHour(dir, hour)) {
    if (entry.type === 'tick' && entry.now > until) return;
    replay.take(entry);
    onEntry();
  }
  const end = hourEnd(hour);
  const to = replay.span()?.to ?? 0;
  if (until < end) return;
  for await (const entry of readHour(dir, hourOf(end))) {
    if (entry.type !== 'tick') continue;
    // Otherwise nothing was recorded in between.
    if (entry.now - to < LATE_MS) replay.finish(entry.changes, end);
    return;
  }
}

async function taskOf({ plans, ...job }: ReplayJob): Promise<ReplayTask> {
  if (plans.type !== 'recorded') {
    const { delays } = plans;
    return { ...job, plans: { ...plans, delayOf: (signature) => delayOf(signature, delays) } };
  }
  const orders = await recordedOrders(job);
  return { ...job, plans: { type: 'recorded', orders, from: hourBegin(job.hour), ids: plans.ids } };
}

/**
 * Returns the orders of the user that were made in the hour, or were out at its begin, as they were last recorded, in the order of
 * their creation.
 */
export async function recordedOrders({
  dir,
  hour,
  userId,
}: Pick<ReplayJob, 'dir' | 'hour' | 'userId'>): Promise<TapeOrder[]> {
  const orders = new Map<string, TapeOrder>();
  const [begin, end] = [hourBegin(hour), hourEnd(hour)];
  for (const name of [hour, hourOf(end)]) {
    for await (const entry of readHour(dir, name)) {
      if (entry.type === 'tick' && entry.now > end + ORDERS_END_MS) break;
      if (entry.type !== 'order' || entry.order.userId !== userId) continue;
      const { id, createdAt, attempts } = entry.order;
      const isOfHour = createdAt >= begin || attempts.some(({ dueAt }) => dueAt >= begin);
      if (isOfHour && createdAt < end) orders.set(id, entry.order);
    }
  }
  return [...orders.values()].toSorted((one, other) => one.createdAt - other.createdAt);
}

function resultOf(replay: Replay, { hour, live, opening, plans }: ReplayJob): ReplayResult | null {
  const span = replay.span();
  if (span === null) return null;
  const { desk } = replay;
  const { markets } = desk;
  const positions = desk.positions.all().map(({ record }) => record);
  const isOfPlan = plans.type === 'own' ? ofPlan(plans.plan.id) : () => true;
  // Those made before are not purchases of this hour.
  const orders = desk.orders().filter(({ side, times }) => side === 'sell' || times.created >= hourBegin(hour));
  const traded = liveTrades({ ...live, fills: [...opening.fills, ...live.fills] }, { isOfPlan, until: span.to });
  return {
    ...isoSpan(span),
    gaps: replay.gaps.map(isoSpan),
    considered: markets.newSince(span.from),
    replay: sideOf({ orders, positions }, markets),
    live: { mode: live.mode, ...sideOf(traded, markets) },
    ...refusalsOf(replay.reasons, (address) => (markets.detectedAt(address) ?? 0) < span.from),
    dropped: replay.dropped(),
  };
}

type IsOfPlan = (key: string) => boolean;

function ofPlan(planId: string): IsOfPlan {
  return (key) => key.startsWith(`buy:${planId}:`);
}

/** Returns what live trading did before a time (epoch ms): the end of the run. */
function liveTrades(
  { orders, fills }: Omit<LiveHour, 'mode'>,
  of: { isOfPlan: IsOfPlan; until: number },
): TradedPositions {
  const positions = createDeskPositions();
  for (const fill of fills) if (fill.at.getTime() < of.until) positions.applyFill(fill);
  const shown = orders.filter(
    (order) => (order.side === 'sell' || of.isOfPlan(order.key)) && effectAt(order, order.times.created) < of.until,
  );
  return { orders: shown, positions: positions.all().map(({ record }) => record) };
}
