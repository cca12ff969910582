import path from 'node:path';
import type { SourceState } from '../../../../common/sources/model.ts';
import type { Clock } from '../../../../common/time.ts';
import { createRpc, type Rpc } from '../../../chain/rpc.ts';
import { pause } from '../../../platform/resilience.ts';
import type { Observation } from '../observation.ts';
import { createFrames } from '../solana/decode/frames.ts';
import { createFactsReader, type FactsReader, tokensOf } from '../solana/facts/facts-reader.ts';
import { createSlotOrder, orderLimits, type SlotOrder } from '../solana/feed/slot-order.ts';
import { createStoredFilter, type StoredFilter } from '../solana/feed/stored-filter.ts';
import type { Source, SourceContext, StoredToken } from '../source.ts';
import { inspectRecording, type RecordedFrame, type RecordingSpan, readRecording } from './recording.ts';

export interface ReplayOptions {
  /** File of `{"t_wall": unix seconds, "raw": "<frame>"}` lines, after an optional first line `{"slot_ms": <length of a slot>}`. */
  file: string;
  /** 1 as recorded, 10 ten times as fast, 0 at full speed. */
  speed: number;
  /** `shifted`: the recording starts now; `recorded`: keeps its times. */
  times: 'shifted' | 'recorded';
  clock: Clock;
  /** Node to read token facts from; without it they stay unknown. */
  rpcUrl?: string | undefined;
}

/** The replay pauses above this number of queued observations, and checks again after this many ms. */
const backlogLimit = 2_000;
const backlogPauseMs = 20;
/** Frames between two yields to the event loop. */
const framesAtOnce = 100;

/** Creates a source that plays a recording of WebSocket frames through the code of the live source. */
export function createReplay(options: ReplayOptions): Source {
  const stopping = new AbortController();
  let state: SourceState = 'connecting';
  let lastEventAt: number | null = null;
  let running: Promise<void> | undefined;

  async function play(context: SourceContext): Promise<void> {
    try {
      const playFrames = await createPlayer(options, context, stopping.signal);
      state = 'live';
      await playFrames((at) => {
        lastEventAt = at;
      });
      state = stopping.signal.aborted ? 'stopped' : 'ended';
    } catch (error) {
      if (stopping.signal.aborted) return;
      // The market goes on with its other sources.
      state = 'down';
      context.log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'replay failed');
    }
  }

  return {
    name: `replay:${path.basename(options.file)}`,
    async start(context) {
      if (!stopping.signal.aborted) running = play(context);
    },
    async stop() {
      stopping.abort();
      await running;
      state = 'stopped';
    },
    status: () => ({ state, lastEventAt }),
  };
}

/** The frames do not name the cluster; mainnet's are recorded. `slotMs`: as recorded; null when the recording lacks it. */
const createRecordedFrames = (slotMs: number | null) =>
  createFrames({ source: 'replay', cluster: 'mainnet', slotMs: () => slotMs });

/** Resolves with a function that plays the recording to its end; `onEvents` receives the time of events, epoch ms. */
async function createPlayer(
  options: ReplayOptions,
  context: SourceContext,
  signal: AbortSignal,
): Promise<(onEvents: (at: number) => void) => Promise<void>> {
  const { file, clock, rpcUrl } = options;
  const { log } = context;
  const span = await inspectRecording(file);
  const frames = createRecordedFrames(span.slotMs);
  const filter = await createFilter(file, await context.storedTokens(), signal);
  const rpc: Rpc | null = rpcUrl === undefined ? null : createRpc({ url: rpcUrl, random: Math.random });
  const facts: FactsReader | null =
    rpc === null ? null : createFactsReader({ rpc, clock, log, observe: context.observe });
  // Created last: the preparation must not count as playing time.
  const timing = createTiming(span, { speed: options.speed, times: options.times, startedAt: clock.now() });
  function observe(observations: readonly Observation[]): void {
    context.observe(observations);
    facts?.request(tokensOf(observations));
  }
  // As for the live stream. At full speed it is infinite: lateness is measured in slots alone.
  const waitMs = orderLimits.waitMs / options.speed;
  const order: SlotOrder = createSlotOrder({ observe, clock, slotMs: () => span.slotMs, limits: { waitMs } });
  signal.addEventListener('abort', () => {
    order.stop();
    facts?.stop();
    rpc?.stop();
  });

  function playFrame(frame: RecordedFrame, onEvents: (at: number) => void): void {
    const receivedAt = timing.receivedAt(frame.at, clock.now());
    const result = frames.read(frame.raw, { receivedAt, shift: timing.shift });
    if (result.kind !== 'transaction') return;
    // Truncated logs are not completed: a replay contains only the recording.
    const fresh = filter.apply(result.signature, result.observations);
    if (fresh.length === 0) return;
    onEvents(clock.now());
    order.push(fresh);
  }

  return async (onEvents) => {
    let badLines = 0;
    let read = 0;
    for await (const frame of readRecording(file, signal)) {
      read += 1;
      if (read % framesAtOnce === 0) await yieldToOthers(context, signal);
      if (frame !== null) await waitUntilDue(timing, frame.at, clock, signal);
      if (signal.aborted) return;
      if (frame === null) badLines += 1;
      else playFrame(frame, onEvents);
    }
    order.flush();
    log.info({ frames: read, badLines, ...frames.counts() }, 'replay ended');
  };
}

/**
 * Creates a filter of stored events, so that a repeated replay over the same database counts no trade twice. Reads the file
 * once before to find the stored signatures in it, unless the database is empty.
 */
async function createFilter(file: string, storedTokens: StoredToken[], signal: AbortSignal): Promise<StoredFilter> {
  const signatures = new Set(storedTokens.flatMap(({ lastSignature }) => lastSignature ?? []));
  const inFile = new Set<string>();
  if (signatures.size > 0) {
    const frames = createRecordedFrames(null);
    for await (const frame of readRecording(file, signal)) {
      if (frame === null) continue;
      const result = frames.read(frame.raw, { receivedAt: frame.at, shift: 0 });
      if (result.kind === 'transaction' && signatures.has(result.signature)) inFile.add(result.signature);
    }
  }
  return createStoredFilter(storedTokens, (signature) => inFile.has(signature));
}

async function waitUntilDue(timing: Timing, at: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const due = timing.dueAt(at);
  if (due === null) return;
  const wait = due - clock.now();
  if (wait > 0) await pause(wait, signal);
}

async function yieldToOthers(context: SourceContext, signal: AbortSignal): Promise<void> {
  // Lets timers and sockets run at full speed too.
  await new Promise((resolve) => setImmediate(resolve));
  while (context.backlog() > backlogLimit && !signal.aborted) await pause(backlogPauseMs, signal);
}

type Timing = ReturnType<typeof createTiming>;

/**
 * Maps recorded times to replay times. `shifted` moves all times by one constant so that the recording starts now; a faster
 * replay starts earlier, so that no time lies in the future. `recorded` keeps all times.
 *
 * @param speed 1 as recorded, 10 ten times as fast, 0 as fast as possible
 */
export function createTiming(
  span: Pick<RecordingSpan, 'from' | 'to'>,
  options: { speed: number; times: 'shifted' | 'recorded'; startedAt: number },
) {
  const { speed, times, startedAt } = options;
  const length = span.to - span.from;
  const playedIn = speed === 0 ? 0 : length / speed;
  const early = Math.max(0, length - playedIn);
  const shifted = times === 'shifted';
  return {
    // Whole ms, so that block times stay integers.
    /** Added to block times, ms. */
    shift: shifted ? Math.round(startedAt - span.from - early) : 0,
    /** Returns when a frame recorded at `at` is due, epoch ms; null at full speed. */
    dueAt: (at: number): number | null => (speed === 0 ? null : startedAt + (at - span.from) / speed),
    /** Returns the receive time of a frame, epoch ms. */
    receivedAt: (at: number, now: number): number => (shifted ? now : Math.round(at)),
  };
}
