import { PublicError } from '../../../common/errors.ts';
import type { Order } from '../../../common/trading/order.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { sol } from '../../../common/trading/text.ts';
import type { UserRecord } from '../../users/model.ts';
import type { ForgottenPress, OfferedTrade, Pressed } from '../confirms.ts';
import { FROM_TELEGRAM } from '../links.ts';
import { type BotOrder, type BotTrading, botMode, overBotLimit } from './engine.ts';
import { changedModeText, modeBadge, orderLines, percentText } from './text.ts';

const EXPIRED = 'This offer has expired. Nothing was done; send the command again.';
/** Outcome of a press whose question is forgotten, and which had no effect before. */
const NO_LONGER_VALID = 'This offer is no longer valid. Nothing was done.';
const SELLING = 'Everything is being sold.';
const PAUSED = 'Exits are paused: nothing is sold by itself until you resume.';

/** Key of the order of a question. */
const keyOf = (nonce: string) => `bot:${nonce}`;

/** Does the action of a pressed button, once however often it is pressed. Returns the outcome for the person. */
export async function act(pressed: Pressed, user: UserRecord, trading: BotTrading): Promise<string> {
  const { choice } = pressed;
  switch (choice.type) {
    case 'cancel':
      return 'Cancelled.';
    case 'keep-positions':
      return 'Your positions stay.';
    case 'pause-exits':
      await trading.stop({ user, address: FROM_TELEGRAM }, { sell: false, pausesExits: true });
      return PAUSED;
    case 'sell-everything':
      return sellEverything(pressed, user, trading);
    case 'trade':
      return placeOffered(choice, pressed, user._id.toHexString(), trading);
  }
}

/**
 * Returns what an earlier press of a forgotten question did. Places no order: what the offer promised is unknown, but its order
 * may be stored.
 */
export async function outcomeOf(
  { nonce, isStop }: ForgottenPress,
  userId: string,
  trading: BotTrading,
): Promise<string> {
  if (!isStop) {
    const order = await trading.orderOf(userId, keyOf(nonce));
    return order ? orderLines(order) : NO_LONGER_VALID;
  }
  const [{ stopped }, report] = await Promise.all([trading.account(userId), trading.stopReport(userId)]);
  if (stopped && report?.sells) return SELLING;
  return stopped?.pausesExits ? PAUSED : NO_LONGER_VALID;
}

async function placeOffered(
  choice: OfferedTrade,
  { nonce, mode, isNew }: Pressed,
  userId: string,
  trading: BotTrading,
) {
  const key = keyOf(nonce);
  // Pressed before: by a second tap, or by an update that Telegram repeats.
  const before = isNew ? null : await trading.orderOf(userId, key);
  if (before) return placedText(before, choice);
  const account = await trading.account(userId);
  const allowed = botMode(account);
  if ('refusal' in allowed) return allowed.refusal;
  if (allowed.mode !== mode) return changedModeText(allowed.mode);
  const refusal = overBotLimit(choice.trade, account);
  if (refusal !== null) return refusal;
  const moved = await whyNotNow(choice, userId, trading);
  if (moved !== null) return moved;
  const order = { ...choice.trade, ...allowed, key, least: choice.least, accept: choice.accept };
  return placedText(await place(order, userId, trading), choice);
}

/** Returns why the offer no longer holds; null when it does. */
async function whyNotNow({ trade, least }: OfferedTrade, userId: string, trading: BotTrading): Promise<string | null> {
  if (least === null) return null;
  const { quote, refusal } = await trading.quote(userId, trade);
  if (refusal || !quote) return refusal ? reasonText(refusal) : EXPIRED;
  if (BigInt(trade.side === 'buy' ? quote.tokens : quote.lamports) >= BigInt(least)) return null;
  const limit = percentText(trade.slippageBps);
  return `The price moved beyond ${limit} since this offer. Nothing was done; send the command again.`;
}

async function place(order: BotOrder, userId: string, trading: BotTrading): Promise<Order> {
  try {
    return await trading.place(userId, order);
  } catch (error) {
    // A warning that the offer did not have. Without its name it is another refusal, with a text of its own.
    if (!(error instanceof PublicError) || error.details?.accept === undefined) throw error;
    throw new PublicError('confirm-needed', {
      text: 'The facts about this token have changed. Send the command again.',
    });
  }
}

function placedText({ failure, mode }: Order, { trade, label }: OfferedTrade): string {
  const { side, lamports, sharePercent, initialOf } = trade;
  if (failure) return `Not ${side === 'buy' ? 'bought' : 'sold'}: ${reasonText(failure)}`;
  const share = initialOf === undefined ? `${sharePercent} %` : 'the initial';
  const what = side === 'buy' ? `buying ${label} for ${sol(lamports ?? 0)}` : `selling ${share} of ${label}`;
  return `Order taken: ${what} (${modeBadge(mode)}). /orders shows what becomes of it.`;
}

async function sellEverything({ mode, isNew }: Pressed, user: UserRecord, trading: BotTrading): Promise<string> {
  const userId = user._id.toHexString();
  if (!isNew && (await trading.stopReport(userId))?.sells) return SELLING;
  const allowed = botMode(await trading.account(userId));
  if ('refusal' in allowed) return allowed.refusal;
  if (allowed.mode !== mode) return EXPIRED;
  const { positions } = await trading.stop({ user, address: FROM_TELEGRAM }, { sell: true });
  const many = positions.length === 1 ? '1 position is' : `${positions.length} positions are`;
  return `${many} being sold. /orders shows what becomes of ${positions.length === 1 ? 'it' : 'them'}.`;
}
