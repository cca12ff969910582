import { randomBytes } from 'node:crypto';
import { type Clock, MINUTE } from '../../common/time.ts';
import type { TradingMode } from '../../common/trading/account.ts';
import type { TradeWarning } from '../../common/trading/order.ts';
import { createGrowingCache } from '../platform/growing-cache.ts';
import type { Button, Keyboard } from './sender.ts';
import type { BotTrade } from './trading/engine.ts';

/** Time in which a button works, ms. */
export const CONFIRM_MS = MINUTE;
/** Questions remembered; the oldest one is forgotten first. */
const QUESTIONS_MAX = 10_000;
/** Bytes of a nonce: not to be guessed. */
const NONCE_BYTES = 16;
/** `c:<nonce>:<choice>`, or `s:…` below a stop; within Telegram's 64 bytes. */
const DATA = /^([cs]):([\w-]{22}):(\d{1,2})$/;

/** A trade that was offered with its result at that moment. */
export interface OfferedTrade {
  type: 'trade';
  trade: BotTrade;
  /** Name of the token for the user: symbol, or a part of the address. */
  label: string;
  /** Least that the offer promised: base units of a purchase, lamports of a sale; null when it named none. */
  least: string | null;
  /** The warnings in the offer. */
  accept: readonly TradeWarning[];
}

/** Effect of a button. */
export type Choice =
  | OfferedTrade
  | { type: 'sell-everything' }
  | { type: 'pause-exits' }
  | { type: 'keep-positions' }
  | { type: 'cancel' };

/** A button and its effect. */
export interface ConfirmButton {
  text: string;
  choice: Choice;
}

/** The user and chat of a question. User ids are hexadecimal. */
interface Asked {
  userId: string;
  chatId: string;
}

/** A question with buttons. One of its choices works, in its chat, for its user. */
interface Question extends Asked {
  choices: readonly Choice[];
  /** The mode that the offer named. */
  mode: TradingMode;
  /** Index of the choice that was pressed first; null: none. */
  used: number | null;
}

/** A press that counts: the first one of its question, or the same one again (`isNew` false), which may repeat its effect. */
export interface Pressed {
  is: 'pressed';
  nonce: string;
  choice: Choice;
  mode: TradingMode;
  isNew: boolean;
}

/** A press of a question that is not in memory: it expired, or was asked before a restart. `isStop`: it was asked by a stop. */
export interface ForgottenPress {
  is: 'forgotten';
  nonce: string;
  isStop: boolean;
}

export type Confirms = ReturnType<typeof createConfirms>;

/** Creates the questions with buttons, which are kept in memory alone. */
export function createConfirms({ clock }: { clock: Clock }) {
  const questions = createGrowingCache<Question>(QUESTIONS_MAX, { ttl: CONFIRM_MS, ttlResolution: 0, perf: clock });
  return {
    /** Remembers a question for a minute, and returns its rows of buttons. */
    ask(to: Asked & { mode: TradingMode }, rows: readonly (readonly ConfirmButton[])[]): Keyboard {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const choices: Choice[] = rows.flat().map(({ choice }) => choice);
      const kind = choices.some(({ type }) => type === 'keep-positions') ? 's' : 'c';
      let index = 0;
      const keyboard = rows.map((row) =>
        row.map(({ text }): Button => ({ text, data: `${kind}:${nonce}:${index++}` })),
      );
      questions.set(nonce, { ...to, choices, used: null });
      return keyboard;
    },
    /** Uses a button's question up. `answered`: another button did before; `invalid`: no button of this bot. */
    press(data: string, { userId, chatId }: Asked): Pressed | ForgottenPress | { is: 'answered' | 'invalid' } {
      const [, kind, nonce, digits] = DATA.exec(data) ?? [];
      if (nonce === undefined) return { is: 'invalid' };
      const question = questions.get(nonce);
      if (question?.userId !== userId || question.chatId !== chatId) {
        return { is: 'forgotten', nonce, isStop: kind === 's' };
      }
      const number = Number(digits);
      const { choices, mode, used } = question;
      const choice = choices[number];
      if (!choice) return { is: 'invalid' };
      if (used !== null && used !== number) return { is: 'answered' };
      // A press in time may be repeated for another minute: until then its order is stored, or never will be.
      if (used === null) questions.set(nonce, { ...question, used: number });
      return { is: 'pressed', nonce, choice, mode, isNew: used === null };
    },
  };
}

/** Returns the rows of a message without the buttons of the question of `data`. */
export function withoutQuestion(rows: Keyboard, data: string): Button[][] {
  const [, , nonce = ''] = DATA.exec(data) ?? [];
  return rows
    .map((row) => row.filter((button) => button.data !== data && DATA.exec(button.data)?.[2] !== nonce))
    .filter((row) => row.length > 0);
}
