import type { CDPSession } from 'playwright-core';
import { z } from 'zod';

/** Commits end the frames of the main thread; tasks are what it runs. */
const eventSchema = z.object({
  name: z.enum(['RunTask', 'Commit']),
  ph: z.literal('X'),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.number(),
  tdur: z.number(),
});
type TraceEvent = z.infer<typeof eventSchema>;

/** Processor time of a page's main thread, ms: without the raster, which other threads do, and without waiting for a processor. */
interface Traced {
  /** Of each frame: all tasks since the frame before. */
  frames: number[];
  longestTask: number;
}

/** Traces the page of a session while `work` runs. */
export async function traceFrames(session: CDPSession, work: () => Promise<unknown>): Promise<Traced> {
  const threads = new Map<string, TraceEvent[]>();
  const collect = ({ value }: { value: unknown[] }) => {
    for (const one of value) {
      const event = eventSchema.safeParse(one).data;
      if (event === undefined) continue;
      const thread = `${event.pid} ${event.tid}`;
      const events = threads.get(thread) ?? [];
      events.push(event);
      threads.set(thread, events);
    }
  };
  session.on('Tracing.dataCollected', collect);
  const includedCategories = ['disabled-by-default-devtools.timeline'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  const commits = (events: TraceEvent[]) => events.filter(({ name }) => name === 'Commit').length;
  const [main = []] = [...threads.values()].sort((one, other) => commits(other) - commits(one));
  return framesOf(main);
}

function framesOf(events: TraceEvent[]): Traced {
  const inOrder = events.toSorted((one, other) => one.ts - other.ts);
  const commits = inOrder.filter(({ name }) => name === 'Commit').map(({ ts }) => ts);
  const frames: number[] = [];
  let [sum, longestTask, next] = [0, 0, 0];
  for (const { name, ts, dur, tdur } of inOrder) {
    if (name !== 'RunTask') continue;
    sum += tdur / 1_000;
    longestTask = Math.max(longestTask, tdur / 1_000);
    const commit = commits[next];
    if (commit === undefined || commit > ts + dur) continue;
    frames.push(sum);
    sum = 0;
    while ((commits[next] ?? Number.POSITIVE_INFINITY) <= ts + dur) next += 1;
  }
  return { frames, longestTask };
}
