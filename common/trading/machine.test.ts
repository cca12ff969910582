import { describe, expect, test } from 'vitest';
import {
  afterEvent,
  isExpired,
  isFinal,
  isOver,
  mayAttempt,
  type OrderEvent,
  type OrderState,
  orderStatuses,
  orderTransitions,
  shownStatuses,
} from './machine.ts';
import { explore } from './testing/explore.ts';
import { createSteps, type Mistake, mistakes } from './testing/order-steps.ts';
import { brokenPromise, newOrder, type World, worldKey } from './testing/order-world.ts';

const buy: OrderState = {
  side: 'buy',
  isWholePosition: false,
  status: 'created',
  noMore: false,
  attemptLimit: 3,
  attempts: [],
};
const wholeSale: OrderState = { ...buy, side: 'sell', isWholePosition: true };

const signed = (signature: string): OrderEvent => ({ type: 'signed', signature, lastValidBlockHeight: 150 });
const sending = (signature: string): OrderEvent => ({ type: 'sending', signature });
const over = (signature: string, outcome: 'reverted' | 'expired' | 'refused'): OrderEvent => ({
  type: 'attempt-over',
  signature,
  outcome,
});

/** Returns the order after all events, of which each has to be possible. */
function following(order: OrderState, ...events: OrderEvent[]): OrderState {
  return events.reduce((before, event) => {
    const next = afterEvent(before, event);
    if (next === null) throw new Error(`${event.type} is impossible after ${before.status}`);
    return next;
  }, order);
}

const sent = following(buy, { type: 'held' }, signed('a'), sending('a'));

describe('one order', () => {
  test('is bought by the first attempt that lands', () => {
    expect(following(sent, { type: 'landed', signature: 'a' })).toEqual({
      ...buy,
      status: 'confirmed',
      attempts: [{ signature: 'a', lastValidBlockHeight: 150, sends: 1, outcome: 'landed' }],
    });
  });

  test('ends in three statuses, which nothing changes', () => {
    expect(orderStatuses.filter(isFinal)).toEqual(['confirmed', 'failed', 'cancelled']);
    expect(isOver(following(sent, { type: 'landed', signature: 'a' }))).toBe(true);
  });

  test('is over as a sale of everything when its second attempt is decided too, so that its fee is known', () => {
    const out = following(wholeSale, { type: 'held' }, signed('a'), signed('b'), { type: 'landed', signature: 'b' });
    expect([out.status, isOver(out)]).toEqual(['confirmed', false]);
    expect(afterEvent(out, signed('c'))).toBeNull();
    expect(afterEvent(out, { type: 'landed', signature: 'b' })).toBeNull();
    const ended = following(out, over('a', 'reverted'));
    expect([ended.status, isOver(ended)]).toEqual(['confirmed', true]);
    expect(afterEvent(ended, { type: 'landed', signature: 'a' })).toBeNull();
  });

  test('shows as pending, confirmed, failed or unknown', () => {
    expect(orderStatuses.map((status) => shownStatuses[status])).toEqual([
      'pending',
      'pending',
      'pending',
      null,
      'confirmed',
      'failed',
      'failed',
    ]);
  });

  test('signs a buy again only when the attempt before is over', () => {
    expect(afterEvent(sent, signed('b'))).toBeNull();
    expect(following(sent, over('a', 'expired'), signed('b')).attempts).toHaveLength(2);
    expect(following(sent, over('a', 'reverted'), signed('b')).attempts).toHaveLength(2);
  });

  test('has two attempts out at most when it sells a whole position', () => {
    const out = following(wholeSale, { type: 'held' }, signed('a'), signed('b'));
    expect(afterEvent(out, signed('c'))).toBeNull();
    expect(following(out, over('a', 'reverted'), signed('c')).attempts).toHaveLength(3);
    const part = following({ ...wholeSale, isWholePosition: false }, { type: 'held' }, signed('a'));
    expect(mayAttempt(part)).toBe(false);
  });

  test('makes no more attempts than its limit', () => {
    const tried = following(
      sent,
      over('a', 'expired'),
      signed('b'),
      over('b', 'expired'),
      signed('c'),
      over('c', 'expired'),
    );
    expect(afterEvent(tried, signed('d'))).toBeNull();
    expect(following(tried, { type: 'given-up' }).status).toBe('failed');
  });

  test('stores a signature once', () => {
    expect(afterEvent(following(sent, over('a', 'expired')), signed('a'))).toBeNull();
  });

  test('is not given up while an attempt may land, and only then overdue', () => {
    expect(afterEvent(sent, { type: 'given-up' })).toBeNull();
    expect(afterEvent(following(sent, over('a', 'expired')), { type: 'overdue' })).toBeNull();
  });

  test('signs nothing while unknown, but still ends by a verdict', () => {
    const unknown = following(sent, { type: 'overdue' });
    expect(following(unknown, { type: 'landed', signature: 'a' }).status).toBe('confirmed');
    const decided = following(unknown, over('a', 'expired'));
    expect(afterEvent(decided, signed('b'))).toBeNull();
    expect(following(decided, { type: 'given-up' }).status).toBe('failed');
  });

  test('ends an attempt by a refusal only when its bytes were sent once', () => {
    expect(following(sent, over('a', 'refused')).attempts[0]?.outcome).toBe('refused');
    expect(afterEvent(following(sent, sending('a')), over('a', 'refused'))).toBeNull();
    expect(afterEvent(following(buy, { type: 'held' }, signed('a')), over('a', 'refused'))).toBeNull();
  });

  test('is confirmed by an attempt that landed, whatever its outcome was before', () => {
    expect(following(sent, over('a', 'expired'), { type: 'landed', signature: 'a' }).status).toBe('confirmed');
    expect(afterEvent(sent, { type: 'landed', signature: 'b' })).toBeNull();
  });

  test('is stopped as a buy: cancelled before the first attempt, without another one after it', () => {
    expect(following(buy, { type: 'stopped' }).status).toBe('cancelled');
    expect(following(buy, { type: 'held' }, { type: 'stopped' }).status).toBe('cancelled');
    const stopped = following(sent, { type: 'stopped' }, over('a', 'reverted'));
    expect(stopped).toMatchObject({ status: 'sent', noMore: true });
    expect(afterEvent(stopped, signed('b'))).toBeNull();
    expect(afterEvent(wholeSale, { type: 'stopped' })).toBeNull();
  });

  test('stays as it is when an event is impossible', () => {
    const before = JSON.stringify(sent);
    expect(afterEvent(sent, { type: 'held' })).toBeNull();
    following(sent, over('a', 'expired'));
    expect(JSON.stringify(sent)).toBe(before);
  });

  test('expires beyond its last height and the lag of nodes', () => {
    const attempt = { lastValidBlockHeight: 150 };
    expect(isExpired(attempt, 150, 0)).toBe(false);
    expect(isExpired(attempt, 151, 0)).toBe(true);
    expect(isExpired(attempt, 300, 150)).toBe(false);
    expect(isExpired(attempt, 301, 150)).toBe(true);
  });

  test('reaches every status by its transitions', () => {
    const reached = new Set(Object.values(orderTransitions).flatMap((row) => Object.values(row)));
    expect(orderStatuses.filter((status) => !reached.has(status))).toEqual(['created']);
  });
});

/** Explores the model from one buy, with a mistake or without one (null). */
const explored = (mistake: Mistake | null, attemptLimit: number) =>
  explore<World>({
    start: newOrder(attemptLimit),
    next: createSteps(mistake),
    keyOf: worldKey,
    problemOf: brokenPromise,
    isEnd: ({ order, isHeld }) => isFinal(order.status) && !isHeld,
  });

/** The promise that each mistake breaks. By the last one money stays reserved for ever. */
const broken: Record<Mistake, string | null> = {
  'signs again before expiry': 'two buys landed',
  'sends before storing': 'landed, but not in the journal',
  'looks for the signature before the height': 'failed, but it bought',
  'ignores the lag of nodes': 'failed, but it bought',
  'writes without compare-and-set': 'out without reserved money',
  'stop leaves reserved orders': 'signed after the stop was acknowledged',
  'stop forgets the next attempt': 'signed after the stop was acknowledged',
  'believes every refusal': 'failed, but it may still buy',
  'releases reserved money only once': null,
};

/**
 * Two workers that may end, or go on when they should have ended, at any moment; sends that are lost, late, refused or
 * reported wrongly; nodes that lag; blocks that pass; a stop.
 */
describe('every possible course of a buy', () => {
  test('buys once at most, tells the truth, obeys a stop, and can always end', () => {
    const { states, problem, stuck } = explored(null, 2);
    expect({ problem, stuck }).toEqual({ problem: null, stuck: 0 });
    expect(states).toBeGreaterThan(80_000);
  });

  test.each(mistakes)('shows what goes wrong when it %s', (mistake) => {
    // One attempt is enough to leave money reserved, and has fewer courses to search.
    const { problem, stuck } = explored(mistake, broken[mistake] === null ? 1 : 2);
    expect(problem).toBe(broken[mistake]);
    expect(stuck > 0).toBe(broken[mistake] === null);
  });
});
