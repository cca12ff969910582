import type { Logger } from 'pino';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { diffToken, type PatchContext } from '../../../common/tokens/patch.ts';
import type { FeedEvent, Publisher } from '../../../realtime/publisher.ts';
import { presentRisk, presentToken, presentTrade } from '../../tokens/present.ts';
import type { TradeRecord } from '../../tokens/record.ts';
import type { ListChange } from '../token/score/score.ts';
import type { LiveToken } from '../token/state/live-token.ts';

/** Patches in one event: a client applies one event at a time, and nobody wants to wait for megabytes. */
const MAX_PATCHES = 500;
/** Events that wait while the feed log cannot be reached; beyond it the oldest go, and it is said. */
const MAX_WAITING = 2_000;

/** Tokens that are no more: by address, or all there were. */
export type RemovedTokens = { addresses: string[] } | { all: true };

/** Gathers what a tick has to say, and says it in this order: new tokens, updates, lists entered and left. */
export class Outbox {
  readonly #publisher: Publisher;
  readonly #log: Logger;
  readonly #changed = new Set<LiveToken>();
  #listChanges: ListChange[] = [];
  #trades: { live: LiveToken; record: TradeRecord }[] = [];
  #risks: LiveToken[] = [];
  #waiting: FeedEvent[] = [];
  #messages: (() => void)[] = [];

  constructor(publisher: Publisher, log: Logger) {
    this.#publisher = publisher;
    this.#log = log;
  }

  token(live: LiveToken): void {
    this.#changed.add(live);
  }

  lists(changes: readonly ListChange[]): void {
    this.#listChanges.push(...changes);
  }

  trade(live: LiveToken, record: TradeRecord): void {
    this.#trades.push({ live, record });
  }

  /** Says nothing more of tokens that were removed, except what is sealed already. */
  forget(removed: ReadonlySet<LiveToken>): void {
    for (const live of removed) this.#changed.delete(live);
    this.#listChanges = this.#listChanges.filter(({ live }) => !removed.has(live));
    this.#trades = this.#trades.filter(({ live }) => !removed.has(live));
    this.#risks = this.#risks.filter((live) => !removed.has(live));
  }

  /** Says with the next publication, after all that is sealed, that tokens are no more. */
  removed(payload: RemovedTokens): void {
    this.#waiting.push({ event: 'tokens-removed', payload });
  }

  /** The tokens that are to be published. */
  get tokens(): ReadonlySet<LiveToken> {
    return this.#changed;
  }

  /** Makes what is to be said of the present state. The context holds the tick's time and rate. */
  seal(context: PatchContext): void {
    this.#waiting.push(...this.#events(context));
    this.#messages.push(...this.#roomMessages());
  }

  /**
   * Publishes everything that is sealed. Resolves with the place after which nothing of it is missing; a feed that cannot be
   * reached gets it with the next tick, and then the promise gives null.
   */
  async publish(): Promise<FeedCursor | null> {
    for (const tell of this.#messages.splice(0)) tell();
    if (this.#waiting.length === 0) return this.#publisher.cursor();
    const events = this.#waiting;
    this.#waiting = [];
    try {
      return await this.#publisher.publish(events);
    } catch (error) {
      this.#waiting = [...events, ...this.#waiting].slice(-MAX_WAITING);
      this.#log.error({ error, waiting: this.#waiting.length }, 'the feed cannot be published');
      return null;
    }
  }

  #events({ at, solUsd }: PatchContext): FeedEvent[] {
    const fresh: FeedEvent[] = [];
    const patches: TokenPatch[] = [];
    for (const live of this.#changed) {
      live.changed = false;
      if (live.factsChanged) this.#risks.push(live);
      live.factsChanged = false;
      const token = presentToken(live.record);
      const patch = live.wire === null ? null : diffToken(live.wire, token, solUsd);
      if (live.wire === null) fresh.push({ event: 'new-token', payload: { token } });
      else if (patch) patches.push(patch);
      // Written over in place: objects that live from one change to the next are what fills the old generation.
      live.wire = Object.assign(live.wire ?? {}, token);
    }
    this.#changed.clear();
    const updates: FeedEvent[] = [];
    for (let from = 0; from < patches.length; from += MAX_PATCHES) {
      updates.push({
        event: 'token-updates',
        payload: { at, solUsd, patches: patches.slice(from, from + MAX_PATCHES) },
      });
    }
    return [...fresh, ...updates, ...this.#listEvents()];
  }

  #listEvents(): FeedEvent[] {
    const changes = this.#listChanges;
    this.#listChanges = [];
    return changes.map(({ live, list, active }) => ({
      event: list,
      payload: { token: presentToken(live.record), active },
    }));
  }

  /** What only the readers of one token's page hear. */
  #roomMessages(): (() => void)[] {
    const publisher = this.#publisher;
    const heard = new Map<LiveToken, TradeRecord[]>();
    for (const { live, record } of this.#trades) {
      const known = heard.get(live);
      if (known) known.push(record);
      else heard.set(live, [record]);
    }
    this.#trades = [];
    const messages: (() => void)[] = [];
    for (const [{ record }, trades] of heard) {
      const target = { address: record._id };
      if (!publisher.listens(target)) continue;
      const told = trades.map((trade) => presentTrade(trade, record.decimals));
      messages.push(() => publisher.send('token-trades', target, { address: record._id, trades: told }));
    }
    for (const { record } of this.#risks) {
      const target = { address: record._id };
      if (!publisher.listens(target)) continue;
      const payload = { address: record._id, version: record.version, risk: presentRisk(record) };
      messages.push(() => publisher.send('token-risk', target, payload));
    }
    this.#risks = [];
    return messages;
  }
}
