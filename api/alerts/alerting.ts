import { setImmediate as breathe } from 'node:timers/promises';
import { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { AlertType } from '../../common/templates/model.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import { loggable } from '../platform/loggable.ts';
import type { Match } from './matching/matcher.ts';
import { isYoung } from './matching/young-tokens.ts';
import type { AlertRecord, Delivery } from './model.ts';
import { presentAlert } from './present.ts';
import { createPersist } from './retry.ts';
import type { AlertStore } from './store.ts';

/** Users in one write: the rest of the process must get its turn between two. */
const AT_ONCE = 250;

/** The default template of a type, filled in. */
export interface AlertText {
  text: string;
  /** The template's name. */
  template: string;
}

/** What the messages to Telegram need to know of an alert: which of these users get one, and its place in the queue. */
export interface Outgoing {
  deliveries(userIds: readonly string[], template: string, at: Date): Promise<Map<string, Delivery>>;
  /** There is something new in the queue. */
  wake(): void;
}

export interface AlertingDeps {
  store: Pick<AlertStore, 'allowed' | 'insert'>;
  /** The stored token; null when it is gone. */
  token(address: string): Promise<Token | null>;
  textOf(type: AlertType, token: Token): Promise<AlertText>;
  outgoing: Outgoing;
  publisher: Pick<Publisher, 'send' | 'listens'>;
  /** These were stored, and heard of by whoever listens. */
  alerted(match: Match, records: readonly AlertRecord[]): Promise<void>;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}

/** Turns a match into alerts: who may get one → text → stored, with the message to Telegram → told. Never rejects. */
export function createAlerting(deps: AlertingDeps): (match: Match) => Promise<void> {
  const { store, outgoing, publisher, clock, log, signal } = deps;
  const persist = createPersist({ ...deps, what: 'alerts' });

  async function alert(match: Match, token: Token, userIds: readonly string[]): Promise<void> {
    const allowed = await persist(() => store.allowed(match.address, userIds));
    const takers = userIds.filter((id) => allowed.has(id));
    if (takers.length === 0) return;
    const at = new Date(clock.now());
    const { text, template } = await persist(() => deps.textOf(match.type, token));
    const deliveries = await persist(() => outgoing.deliveries(takers, template, at));
    const records = takers.map((id) => recordOf(match, token, { id, text, at, telegram: deliveries.get(id) ?? null }));
    const kept = await persist(() => store.insert(records));
    for (const record of kept) {
      const target = { userId: record.userId.toHexString() };
      if (publisher.listens(target)) publisher.send('alert', target, presentAlert(record));
    }
    if (kept.some(({ telegram }) => telegram !== null)) outgoing.wake();
    await persist(() => deps.alerted({ ...match, userIds: takers }, kept));
  }

  /** After a long wait for the database. */
  function isTooLate({ type }: Match, token: Token): boolean {
    return type === 'new_token' && !isYoung(token, clock.now());
  }

  return async function work(match) {
    try {
      const token = match.token ?? (await persist(() => deps.token(match.address)));
      if (!token || isTooLate(match, token)) return;
      const asItWas = { ...token, price: match.price };
      for (let from = 0; from < match.userIds.length; from += AT_ONCE) {
        await alert(match, asItWas, match.userIds.slice(from, from + AT_ONCE));
        await breathe();
      }
    } catch (error) {
      // What ends here because the server stops is found again after the next start.
      if (!signal.aborted) log.error({ error: loggable(error), type: match.type }, 'users could not be alerted');
    }
  };
}

function recordOf(
  { type, address, price }: Match,
  { name, symbol }: Token,
  { id, text, at, telegram }: { id: string; text: string; at: Date; telegram: Delivery | null },
): AlertRecord {
  return {
    _id: new Types.ObjectId(),
    userId: new Types.ObjectId(id),
    type,
    address,
    name,
    symbol,
    text,
    price,
    at,
    telegram,
  };
}
