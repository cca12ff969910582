import type { Logger } from 'pino';
import type { DecisionOutcome } from '../../../common/decisions/model.ts';
import { SECOND } from '../../../common/time.ts';
import type { OrderStatus } from '../../../common/trading/machine.ts';
import type { EventBus } from '../../events/bus.ts';
import type { DomainEvents } from '../../events/events.ts';
import { type Answer, type Batch, createDecisionBuffer, type OrderAnswer } from './buffer.ts';
import { presentDecision } from './present.ts';
import type { DecisionStore } from './store.ts';

const outcomes: Record<OrderStatus, DecisionOutcome> = {
  created: 'ordered',
  held: 'ordered',
  sent: 'ordered',
  unknown: 'ordered',
  confirmed: 'bought',
  failed: 'tried',
  cancelled: 'tried',
};

const KEY = /^buy:([0-9a-f]{24}):/;

/** Answers that a user's pages receive after a write, at most: the newest. */
const SHOWN_MAX = 5;

export type DecisionLedger = ReturnType<typeof createDecisionLedger>;

export interface LedgerDeps {
  store: Pick<DecisionStore, 'write' | 'ofPairs'>;
  /** Returns false when no client of the user is connected. */
  isListening(userId: string): boolean;
  bus: EventBus;
  log: Logger;
}

/** Stores the answers of plans a second after they were given, and emits the newest ones to users who listen. */
export function createDecisionLedger({ store, isListening, bus, log }: LedgerDeps) {
  const buffer = createDecisionBuffer();
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;
  let writing: Promise<void> | null = null;
  /** Batch whose write failed: repeated as it was, since a part of it may be stored. */
  let failed: Batch | null = null;

  async function write(): Promise<void> {
    if (failed !== null) await writeBatch(failed);
    if (failed === null) await writeBatch(buffer.take());
  }

  async function writeBatch(batch: Batch): Promise<void> {
    if (batch.answers.length === 0 && batch.last.length === 0 && batch.counts.length === 0) return;
    try {
      await store.write(batch);
    } catch (error) {
      failed = batch;
      log.warn({ error, answers: batch.answers.length }, 'write of decisions failed, retrying');
      return;
    }
    failed = null;
    await emit(shownOf(batch)).catch((error: unknown) => {
      log.warn({ error }, 'read of written decisions failed');
    });
  }

  /** Emits the newest answers to the users who listen. */
  async function emit(answers: readonly Answer[]): Promise<void> {
    const byUser = new Map<string, Answer[]>();
    for (const answer of answers) {
      const of = byUser.get(answer.userId);
      if (of) of.push(answer);
      else if (isListening(answer.userId)) byUser.set(answer.userId, [answer]);
    }
    for (const [userId, of] of byUser) {
      const newest = of.sort((one, other) => other.at - one.at).slice(0, SHOWN_MAX);
      const records = await store.ofPairs(newest);
      records.sort((one, other) => one.lastAt.getTime() - other.lastAt.getTime());
      for (const record of records) bus.emit('decision-made', { userId, decision: presentDecision(record) });
    }
  }

  /** Stores everything noted so far, also after a write that is under way. A failed write is repeated with the next one. */
  async function flush(): Promise<void> {
    if (writing !== null) await writing;
    writing ??= write().finally(() => {
      writing = null;
    });
    await writing;
  }

  return {
    note: buffer.note,
    flush,
    start(): void {
      unsubscribe ??= bus.on('order-changed', (changed) => {
        const answer = answerOfOrder(changed);
        if (answer) buffer.noteOrder(answer);
      });
      timer ??= setInterval(() => {
        // A slow write is not followed by another one at once: meanwhile answers collect, within their limits.
        if (writing === null) void flush();
      }, SECOND);
      timer.unref();
    },
    /** Stores the rest. */
    async stop(): Promise<void> {
      unsubscribe?.();
      clearInterval(timer);
      await flush();
    },
  };
}

/** Returns the answers of a batch for pages: new figures alone only of a plan's last token. */
function shownOf({ answers, last }: Batch): Answer[] {
  const lastTokens = new Map(last.map(({ planId, address }) => [planId, address]));
  return answers.filter(({ isRepeat, planId, address }) => !isRepeat || lastTokens.get(planId) === address);
}

/** Returns the progress of an order as an answer of its plan; null for an order that no plan has made. */
function answerOfOrder({ userId, key, order }: DomainEvents['order-changed']): OrderAnswer | null {
  const { cause, token, status, failure, times, id } = order;
  const planId = KEY.exec(key)?.[1];
  if (planId === undefined || (cause.kind !== 'rule' && cause.kind !== 'strategy')) return null;
  const { held, signed, sent, decided, created } = times;
  const outcome = outcomes[status];
  return {
    userId,
    planId,
    plan: { kind: cause.kind, name: cause.name ?? '' },
    address: token.address,
    symbol: token.symbol,
    orderId: id,
    outcome,
    reason: outcome === 'tried' ? failure : null,
    at: Date.parse(decided ?? sent ?? signed ?? held ?? created),
  };
}
