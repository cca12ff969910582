import type { FeedCursor } from '../../../common/live/protocol.ts';
import type { Clock } from '../../../common/time.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import type { PatchContext } from '../../../common/tokens/patch.ts';
import { isMeasured } from '../../tokens/volume.ts';
import { type LiveToken, set } from '../token/state/live-token.ts';
import { createLatencyMeter, type PublishLatency } from './latency.ts';
import type { Outbox, RemovedTokens } from './outbox.ts';
import type { Writer } from './writer.ts';

/** Stores and publishes tick by tick, and knows the feed position. */
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
  let published = cursor;
  let handedOver: Promise<void> = Promise.resolve();
  const publications = createPublications(outbox);
  /** Tokens whose first publication is sealed; with the feed away they wait with their events. */
  const introduced: LiveToken[] = [];

  async function finish(received: readonly number[]): Promise<void> {
    await writer.written();
    publish(() => {
      meter.record(received, clock.now());
      stampPublished();
    });
  }

  /** Sets the time of the first publication once it has happened; the next write stores it. */
  function stampPublished(): void {
    const now = clock.now();
    for (const live of introduced.splice(0)) if (set(live, 'publishedAt', now)) writer.addToken(live);
  }

  function publish(onPublished: () => void = () => undefined): void {
    publications.publish((position) => {
      published = position;
      onPublished();
    });
  }

  return {
    /** The last feed position. Every token contains all events up to it, in memory or, for one that is not there, in MongoDB. */
    get published(): FeedCursor {
      return published;
    },
    /** Resolves when the last started publication is stored and handed over; the next tick may begin. */
    get handedOver(): Promise<void> {
      return handedOver;
    },
    /** Resolves when the feed has acknowledged it, too. */
    async settled(): Promise<void> {
      await handedOver;
      await publications.acknowledged();
    },
    /** Returns the latencies of the last minute. */
    latency: (): PublishLatency => meter.read(clock.now()),
    /**
     * Starts to store and publish the changes of a tick: its trades and new facts are acknowledged before. A database that is
     * away or slow does not delay the feed. To be called once the publication before is settled. `received`: the receive times (epoch
     * ms) of its live observations.
     */
    start(now: number, solUsd: number | null, received: readonly number[]): void {
      for (const live of outbox.tokens) if (isFirstPublication(live, now)) introduced.push(live);
      void writer.start({ at: now, solUsd });
      // Sealed now: published is the state that is being written, not the next tick's.
      outbox.seal({ at: now, solUsd });
      handedOver = finish(received);
    },
    /** Publishes removals at once, after the tokens were deleted. To be called between two ticks. */
    publishRemoved(removals: readonly RemovedTokens[]): void {
      outbox.addRemovals(removals);
      publish();
    },
    /** Publishes changes of stored tokens at once, after they were written. To be called between two ticks. */
    publishPatches(patches: readonly TokenPatch[], context: PatchContext): void {
      outbox.addPatches(patches, context);
      publish();
    },
  };
}

/** Creates the publications that the feed has not acknowledged. Nothing waits for them: the feed may be away. */
function createPublications(outbox: Outbox) {
  const unacknowledged = new Set<Promise<void>>();
  return {
    /** Publishes the sealed changes, and calls `onPublished` once the feed has them. */
    publish(onPublished: (published: FeedCursor) => void): void {
      const publication = outbox
        .publish()
        .then((published) => (published === null ? undefined : onPublished(published)))
        .finally(() => unacknowledged.delete(publication));
      unacknowledged.add(publication);
    },
    async acknowledged(): Promise<void> {
      await Promise.all(unacknowledged);
    },
  };
}

function isFirstPublication({ published, record }: LiveToken, now: number): boolean {
  return published === null && record.publishedAt === null && isMeasured(record, now);
}
