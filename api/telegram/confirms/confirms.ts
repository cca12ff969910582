import { randomBytes } from 'node:crypto';
import { type Connection, Types } from 'mongoose';
import { type Clock, MINUTE } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import { ensureIndexes } from '../../platform/database.ts';
import type { Button, Keyboard } from '../sender.ts';
import { type Choice, type ConfirmRecord, confirmModel } from './model.ts';

/** Time in which a button works, ms. */
export const CONFIRM_MS = MINUTE;
/** Bytes of a nonce: not to be guessed. */
const NONCE_BYTES = 16;
/** `c:<nonce>:<choice>`, within Telegram's 64 bytes. */
const DATA = /^c:([\w-]{22}):(\d{1,2})$/;

/** A button and its effect. */
export interface ConfirmButton {
  text: string;
  choice: Choice;
}

/**
 * A press that counts: the first one of its question, or the same one again, which may repeat its effect. `isNew` is false for
 * the latter, and `isOver` once the question has expired: then nothing new may be done.
 */
export interface Pressed {
  nonce: string;
  choice: Choice;
  mode: TradingMode | null;
  isNew: boolean;
  isOver: boolean;
}

/** `unknown`: no such question for this user and chat. `answered`: by another button. */
export type RefusedPress = 'unknown' | 'expired' | 'answered';

/** Questions with buttons. User ids are hexadecimal. */
export interface Confirms {
  /** Stores a question, and returns its rows of buttons. */
  ask(
    to: { userId: string; chatId: string; mode: TradingMode | null },
    rows: readonly (readonly ConfirmButton[])[],
  ): Promise<Keyboard>;
  /** Uses a button's question up, by one atomic update, unless it was used or has expired. */
  press(data: string, by: { userId: string; chatId: string }): Promise<Pressed | { refused: RefusedPress }>;
}

/** Opens the questions of this database and creates their indexes. */
export async function openConfirms({ connection, clock }: { connection: Connection; clock: Clock }): Promise<Confirms> {
  const confirms = confirmModel(connection);
  await ensureIndexes(confirms);
  return {
    async ask({ userId, chatId, mode }, rows) {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const choices: Choice[] = [];
      const keyboard = rows.map((row) =>
        row.map(({ text, choice }): Button => ({ text, data: `c:${nonce}:${choices.push(choice) - 1}` })),
      );
      const expiresAt = new Date(clock.now() + CONFIRM_MS);
      const record = { _id: nonce, userId: new Types.ObjectId(userId), chatId, choices, mode, expiresAt, used: null };
      await confirms.create(record);
      return keyboard;
    },
    async press(data, { userId, chatId }) {
      const [, nonce, digits] = DATA.exec(data) ?? [];
      if (nonce === undefined) return { refused: 'unknown' };
      const number = Number(digits);
      const now = clock.now();
      const own = { _id: nonce, userId: new Types.ObjectId(userId), chatId };
      const taken = await confirms
        .findOneAndUpdate(
          { ...own, used: null, expiresAt: { $gt: new Date(now) }, [`choices.${number}`]: { $exists: true } },
          { $set: { used: { choice: number, at: new Date(now) } } },
        )
        .lean<ConfirmRecord>();
      const found = taken ?? (await confirms.findOne(own).lean<ConfirmRecord>());
      const choice = found?.choices[number];
      if (!found || !choice) return { refused: 'unknown' };
      if (!taken && !found.used) return { refused: 'expired' };
      if (!taken && found.used?.choice !== number) return { refused: 'answered' };
      return { nonce, choice, mode: found.mode, isNew: taken !== null, isOver: found.expiresAt.getTime() <= now };
    },
  };
}

/** Returns the rows of a message without the buttons of the question of `data`. */
export function withoutQuestion(rows: Keyboard, data: string): Button[][] {
  const [, nonce = ''] = DATA.exec(data) ?? [];
  return rows
    .map((row) => row.filter((button) => button.data !== data && DATA.exec(button.data)?.[1] !== nonce))
    .filter((row) => row.length > 0);
}
