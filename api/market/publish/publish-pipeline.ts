import type { FeedCursor } from '../../../common/live/protocol.ts';
import type { Clock } from '../../../common/time.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import type { PatchContext } from '../../../common/tokens/patch.ts';
import { isMeasured } from '../../tokens/volume.ts';
import { type LiveToken, set } from '../token/state/live-token.ts';
import { createLatencyMeter, type PublishLatency } from './latency.ts';
import type { Outbox, RemovedTokens } from './outbox.ts';
import type { Writer } from './writer.ts';

/** Stores and publishes tick by tick, and knows the feed position up to which both are done. */
export type PublishPipeline = ReturnType<typeof createPublishPipeline>;

export interface PublishPipelineDeps {
  writer: Writer;
  outbox: Outbox;
  clock: Clock;
  /** Feed position at the start. */
  cursor: FeedCursor;
}

export function createPublishPipeline({ writer, outbox, clock, cursor }: PublishPipelineDeps) {
  const meter = createLatencyMeter();
  let stored = cursor;
  let settled: Promise<void> = Promise.resolve();
  /** Tokens whose first publication is sealed; with the feed away they wait with their events. */
  const introduced: LiveToken[] = [];

  /** `complete`: a write that contains everything; null without one. */
  async function finish(complete: Promise<boolean> | null, received: readonly number[]): Promise<void> {
    await writer.written();
    const published = await outbox.publish();
    if (published !== null) {
      meter.record(received, clock.now());
      stampPublished();
    }
    if (published === null) return;
    void complete?.then((acknowledged) => {
      if (acknowledged) stored = published;
    });
  }

  /** Sets the time of the first publication once it has happened; the next write stores it. */
  function stampPublished(): void {
    const now = clock.now();
    for (const live of introduced.splice(0)) if (set(live, 'publishedAt', now)) writer.addToken(live);
  }

  async function publishStored(): Promise<void> {
    const isAllStored = writer.state() === 'stored';
    const published = await outbox.publish();
    if (published !== null && isAllStored) stored = published;
  }

  return {
    /** The last feed position up to which MongoDB contains everything. */
    get stored(): FeedCursor {
      return stored;
    },
    /** Resolves when the last started publication has ended. */
    get settled(): Promise<void> {
      return settled;
    },
    /** Returns the latencies of the last minute. */
    latency: (): PublishLatency => meter.read(clock.now()),
    /**
     * Starts to store and publish the changes of a tick. Publishes after the acknowledged write; a database that is away or
     * slow does not delay the feed. The next tick merges meanwhile and waits here, so that writes and publications stay in
     * order. `takeReceived` returns the receive times (epoch ms) of its live observations.
     */
    async start(now: number, solUsd: number | null, takeReceived: () => readonly number[]): Promise<void> {
      await settled;
      for (const live of outbox.tokens) if (isFirstPublication(live, now)) introduced.push(live);
      const write = writer.start();
      const complete = writer.state() === 'writing' ? write : null;
      // Sealed now: published is the state that is being written, not the next tick's.
      outbox.seal({ at: now, solUsd });
      settled = finish(complete, takeReceived());
    },
    /** Publishes removals at once, after the tokens were deleted. To be called between two ticks. */
    async publishRemoved(removals: readonly RemovedTokens[]): Promise<void> {
      outbox.addRemovals(removals);
      await publishStored();
    },
    /** Publishes changes of stored tokens at once, after they were written. To be called between two ticks. */
    async publishPatches(patches: readonly TokenPatch[], context: PatchContext): Promise<void> {
      outbox.addPatches(patches, context);
      await publishStored();
    },
  };
}

function isFirstPublication({ published, record }: LiveToken, now: number): boolean {
  return published === null && record.publishedAt === null && isMeasured(record, now);
}
