import type { FeedCursor } from '../../../common/live/protocol.ts';
import type { Clock } from '../../../common/time.ts';
import { withTimeout } from '../../platform/resilience.ts';
import { isTimed, set } from '../token/state/live-token.ts';
import { type Lag, LagMeter } from './latency.ts';
import type { Outbox, RemovedTokens } from './outbox.ts';
import type { Writer } from './writer.ts';

/**
 * The feed waits this long for the write, ms, and no longer: about three times what a full tick's write takes. What is
 * published unstored lies beyond `stored`, so no list claims it (F3), and a crash may lose it.
 */
const WRITE_PATIENCE = 250;

interface Deps {
  writer: Writer;
  outbox: Outbox;
  clock: Clock;
  /** Where the feed stands at the start. */
  cursor: FeedCursor;
}

/** What a tick has to store and to publish, in this order, and up to where both are done. */
export class Publication {
  readonly #deps: Deps;
  readonly #lag = new LagMeter();
  #stored: FeedCursor;
  #settled: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stored = deps.cursor;
  }

  /** The last place of the feed of which everything up to there is in MongoDB. */
  get stored(): FeedCursor {
    return this.#stored;
  }

  /** Resolves once what was begun last is published. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** How long observations took to be published, in the last minute. */
  lag(): Lag {
    return this.#lag.read(this.#deps.clock.now());
  }

  /**
   * Publishes after the acknowledged write; a database that is away, or too slow, does not hold up the feed. The next tick
   * merges meanwhile and waits here, so that writes and publications stay in order. `received`: when that was received
   * which is published, epoch ms.
   */
  async begin(now: number, solUsd: number | null, takeReceived: () => readonly number[]): Promise<void> {
    const { writer, outbox } = this.#deps;
    await this.#settled;
    // Told by the tick that publishes first; it is stored with this very write.
    for (const live of outbox.tokens) {
      if (live.wire === null && isTimed(live.record, now)) set(live, 'publishedAt', now);
    }
    // After a failure the next try is not waited for: the feed is late once, not with every try.
    const isWaitedFor = !writer.away;
    const write = writer.begin();
    const coversAll = write !== null && writer.coversAll;
    // What is published is what is being written, not what the next tick makes of it.
    outbox.seal({ at: now, solUsd });
    this.#settled = this.#finish({ write, isWaitedFor, coversAll, received: takeReceived() });
  }

  async #finish({ write, isWaitedFor, coversAll, received }: Storing): Promise<void> {
    const { writer, outbox, clock } = this.#deps;
    if (write !== null && isWaitedFor && !(await withTimeout(write, WRITE_PATIENCE))) writer.late();
    const published = await outbox.publish();
    if (published !== null) this.#lag.published(received, clock.now());
    if (write === null || published === null || !coversAll) return;
    void write.then((acknowledged) => {
      if (acknowledged) this.#stored = published;
    });
  }

  /** Says at once that tokens are no more, after they were deleted. To be called between two ticks. */
  async sayRemoved(payloads: readonly RemovedTokens[]): Promise<void> {
    const { writer, outbox } = this.#deps;
    for (const payload of payloads) outbox.removed(payload);
    const isAllStored = writer.coveredAll;
    const published = await outbox.publish();
    if (published !== null && isAllStored) this.#stored = published;
  }
}

/** A write on its way, or none, and what depends on it. */
interface Storing {
  write: Promise<boolean> | null;
  isWaitedFor: boolean;
  coversAll: boolean;
  /** When that was received which is being published. */
  received: readonly number[];
}
