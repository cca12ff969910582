import type { ReplayResult } from '../../../common/replay/model.ts';
import { HOUR, isoSpan } from '../../../common/time.ts';
import type { Reason, ReasonCode } from '../../../common/trading/reasons.ts';
import { type Delays, delayOf } from '../paper/paper-delay.ts';
import { createCore } from '../plans/core/core.ts';
import { hourBegin, hourEnd, hourOf } from '../tape/format.ts';
import { LATE_MS, readHour } from '../tape/reader.ts';
import { saleValue, sideOf } from './rows.ts';
import { createReplay, type Replay, type ReplayTask } from './run.ts';

/** Everything that a run needs, so that its thread reads nothing but the tape. Plain JSON. */
export interface ReplayJob extends Omit<ReplayTask, 'delayOf'> {
  dir: string;
  hour: string;
  /** Time of the request, epoch ms: an hour that is being recorded is run up to then. */
  until: number;
  delays: Delays;
}

/** The result of a run, without the comparison with live trading. */
export type RunResult = Omit<ReplayResult, 'live'>;

/** Least progress that is reported. */
const PROGRESS_STEP = 0.01;

/** Runs a job over its hour. Resolves with null when nothing of the hour can be read. */
export async function runJob(job: ReplayJob, onProgress: (progress: number) => void): Promise<RunResult | null> {
  const { hour, delays } = job;
  const replay = createReplay({ ...job, delayOf: (signature) => delayOf(signature, delays) }, createCore);
  let reported = 0;
  await runHour(replay, job, () => {
    const progress = ((replay.span()?.to ?? hourBegin(hour)) - hourBegin(hour)) / HOUR;
    if (progress < reported + PROGRESS_STEP) return;
    reported = progress;
    onProgress(Math.min(1, progress));
  });
  return resultOf(replay);
}

/** Hands a run its hour, up to `until` (epoch ms). */
async function runHour(
  replay: Replay,
  { dir, hour, until }: Pick<ReplayJob, 'dir' | 'hour' | 'until'>,
  onEntry: () => void,
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

function resultOf({ desk, reasons, gaps, span: spanOf }: Replay): RunResult | null {
  const span = spanOf();
  if (span === null) return null;
  const { markets } = desk;
  const positions = desk.positions.all().map(({ record }) => record);
  return {
    ...isoSpan(span),
    gaps: gaps.map(isoSpan),
    considered: markets.newSince(span.from),
    replay: sideOf({ orders: desk.orders(), positions }, (position) => saleValue(position, markets)),
    refusals: refusalsOf(reasons),
  };
}

/** Returns why tokens were not bought, most first. `reasons`: the last answer to each token; null: bought. */
function refusalsOf(reasons: ReadonlyMap<string, Reason | null>): RunResult['refusals'] {
  const counts = new Map<ReasonCode, { reason: Reason; count: number }>();
  for (const reason of reasons.values()) {
    if (reason) counts.set(reason.code, { reason, count: (counts.get(reason.code)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count);
}
