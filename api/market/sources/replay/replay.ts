import path from 'node:path';
import type { SourceState } from '../../../../common/sources/model.ts';
import type { Clock, Random } from '../../../../common/time.ts';
import { createRpc, type Rpc } from '../../../chain/rpc.ts';
import { pause } from '../../../platform/resilience.ts';
import type { Observation } from '../observation.ts';
import { coinsOf } from '../solana/coins.ts';
import { createFrames, type Frames } from '../solana/decode/frames.ts';
import { createFactsReader, type FactsReader } from '../solana/facts/facts-reader.ts';
import { createResume, type Resume } from '../solana/feed/stored-filter.ts';
import type { Source, SourceContext, StoredToken } from '../source.ts';
import { inspectRecording, type RecordedFrame, readRecording } from './recording.ts';
import { createTiming, type Timing } from './timing.ts';

export interface ReplayOptions {
  /** A file of `{"t_wall": unix seconds, "raw": "<frame>"}` lines. */
  file: string;
  /** 1 as recorded, 10 ten times as fast, 0 as fast as possible. */
  speed: number;
  /** `shifted`: the recording starts now; `recorded`: times stay as recorded. */
  times: 'shifted' | 'recorded';
  clock: Clock;
  /** For the jitter of RPC calls only; `Math.random` unless a test wants to decide it. */
  random?: Random;
  /** Where facts that no frame tells are read; without it they stay unknown. */
  rpcUrl?: string | undefined;
  /** The cluster that was recorded; frames do not name it. */
  cluster?: 'mainnet' | 'devnet' | 'local';
}

/** Above so many waiting observations the replay waits, looking again after so many ms. */
const backlogLimit = 2_000;
const backlogPauseMs = 20;
/** A replay that waits for nothing lets the process breathe after so many frames. */
const framesAtOnce = 100;

/** Feeds a recording of WebSocket frames through the same code as the live source. */
export function createReplay(options: ReplayOptions): Source {
  const stopping = new AbortController();
  let state: SourceState = 'connecting';
  let lastEventAt: number | null = null;
  let running: Promise<void> | undefined;

  async function play(context: SourceContext): Promise<void> {
    try {
      const player = await createPlayer(options, context, stopping.signal);
      state = 'live';
      await player.play((at) => {
        lastEventAt = at;
      });
      state = stopping.signal.aborted ? 'stopped' : 'ended';
    } catch (error) {
      if (stopping.signal.aborted) return;
      // Without its recording a replay has nothing to say; the market goes on with its other sources.
      state = 'down';
      context.log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'the replay failed');
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

interface Player {
  play(onEvents: (at: number) => void): Promise<void>;
}

async function createPlayer(options: ReplayOptions, context: SourceContext, signal: AbortSignal): Promise<Player> {
  const { file, clock, rpcUrl, random = Math.random, cluster = 'mainnet' } = options;
  const { log } = context;
  const span = await inspectRecording(file);
  const frames: Frames = createFrames({ source: 'replay', cluster });
  const resume = await createResumeOf(file, cluster, await context.storedTokens(), signal);
  const rpc: Rpc | null = rpcUrl === undefined ? null : createRpc({ url: rpcUrl, random });
  const facts: FactsReader | null =
    rpc === null ? null : createFactsReader({ rpc, clock, log, observe: context.observe });
  // Taken last: what came before must not count as time that the recording has been playing.
  const timing = createTiming(span, { speed: options.speed, times: options.times, startedAt: clock.now() });
  signal.addEventListener('abort', () => {
    facts?.stop();
    rpc?.stop();
  });

  function observe(observations: Observation[]): void {
    context.observe(observations);
    facts?.want(coinsOf(observations));
  }

  function playFrame(frame: RecordedFrame, onEvents: (at: number) => void): void {
    const receivedAt = timing.receivedAt(frame.at, clock.now());
    const result = frames.read(frame.raw, { receivedAt, shift: timing.shift });
    if (result.kind !== 'transaction') return;
    // Cut logs are not made whole: a recording is what was heard, and this is what it tells.
    const fresh = resume.fresh(result.signature, result.observations);
    if (fresh.length === 0) return;
    onEvents(clock.now());
    observe(fresh);
  }

  async function play(onEvents: (at: number) => void): Promise<void> {
    let badLines = 0;
    let read = 0;
    for await (const frame of readRecording(file, signal)) {
      read += 1;
      if (read % framesAtOnce === 0) await letOthersRun(context, signal);
      if (frame !== null) await waitUntilDue(timing, frame.at, clock, signal);
      if (signal.aborted) return;
      if (frame === null) badLines += 1;
      else playFrame(frame, onEvents);
    }
    log.info({ frames: read, badLines, ...frames.counts() }, 'the replay ended');
  }
  return { play };
}

/**
 * A replay begun anew over a database that knows its tokens must not tell their trades again. Which of the stored
 * signatures the file holds is found by reading it once before; a fresh database needs none of that.
 */
async function createResumeOf(
  file: string,
  cluster: 'mainnet' | 'devnet' | 'local',
  known: StoredToken[],
  signal: AbortSignal,
): Promise<Resume> {
  const stored = new Set(known.flatMap(({ lastSignature }) => lastSignature ?? []));
  const inFile = new Set<string>();
  if (stored.size > 0) {
    const frames = createFrames({ source: 'replay', cluster });
    for await (const frame of readRecording(file, signal)) {
      if (frame === null) continue;
      const result = frames.read(frame.raw, { receivedAt: frame.at, shift: 0 });
      if (result.kind === 'transaction' && stored.has(result.signature)) inFile.add(result.signature);
    }
  }
  return createResume(known, (signature) => inFile.has(signature));
}

async function waitUntilDue(timing: Timing, at: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const due = timing.dueAt(at);
  if (due === null) return;
  const wait = due - clock.now();
  if (wait > 0) await pause(wait, signal);
}

async function letOthersRun(context: SourceContext, signal: AbortSignal): Promise<void> {
  // Timers and sockets get their turn even when no line had to be waited for.
  await new Promise((resolve) => setImmediate(resolve));
  while (context.backlog() > backlogLimit && !signal.aborted) await pause(backlogPauseMs, signal);
}
