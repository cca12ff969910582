import { PublicError } from '../../../common/errors.ts';
import type { Order } from '../../../common/trading/order.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { sol } from '../../../common/trading/text.ts';
import type { UserRecord } from '../../users/model.ts';
import type { Pressed } from '../confirms/confirms.ts';
import type { Choice } from '../confirms/model.ts';
import { FROM_TELEGRAM } from '../links/service.ts';
import { botMode, overBotLimit } from './allowed.ts';
import type { BotOrder, BotTrade, BotTrading } from './bot-trading.ts';
import { changedModeText, modeBadge, percentText } from './text.ts';

type Trade = Extract<Choice, { type: 'buy' | 'sell' }>;

/** Text of an offer that was pressed too late. */
export const EXPIRED = 'This offer has expired. Nothing was done; send the command again.';

/** Does the action of a pressed button, once however often it is pressed. Returns the outcome for the person. */
export async function act(pressed: Pressed, user: UserRecord, trading: BotTrading): Promise<string> {
  const { choice } = pressed;
  switch (choice.type) {
    case 'cancel':
      return 'Cancelled.';
    case 'keep-positions':
      return 'Your positions stay.';
    case 'pause-exits':
      return pauseExits(pressed, user, trading);
    case 'sell-everything':
      return sellEverything(pressed, user, trading);
    case 'buy':
    case 'sell':
      return trade(choice, pressed, user._id.toHexString(), trading);
  }
}

async function trade(choice: Trade, { nonce, mode, isNew, isOver }: Pressed, userId: string, trading: BotTrading) {
  const key = `bot:${nonce}`;
  // Pressed before: by a second tap, or by an update that Telegram repeats after a restart between press and reply.
  const before = isNew ? null : await trading.orderOf(userId, key);
  if (before) return placedText(before, choice);
  if (isOver) return EXPIRED;
  const account = await trading.account(userId);
  const allowed = botMode(account);
  if ('refusal' in allowed) return allowed.refusal;
  if (allowed.mode !== mode) return changedModeText(allowed.mode);
  const refusal = choice.type === 'buy' ? overBotLimit(choice.lamports, account) : null;
  if (refusal !== null) return refusal;
  const asked = tradeOf(choice);
  const moved = await whyNotNow(choice, asked, userId, trading);
  if (moved !== null) return moved;
  const order = { ...asked, ...allowed, key, least: leastOf(choice), accept: choice.accept };
  return placedText(await place(order, userId, trading), choice);
}

/** Returns what the offer promised as the least, as an order carries it. */
function leastOf(choice: Trade): string | null {
  if (choice.type === 'buy') return choice.leastTokens;
  return choice.leastLamports === null ? null : String(choice.leastLamports);
}

function tradeOf(choice: Trade): BotTrade {
  const { address, slippageBps } = choice;
  return choice.type === 'buy'
    ? { address, slippageBps, side: 'buy', lamports: choice.lamports, sharePercent: null }
    : { address, slippageBps, side: 'sell', lamports: null, sharePercent: choice.sharePercent };
}

/** Returns why the offer no longer holds; null when it does. */
async function whyNotNow(choice: Trade, asked: BotTrade, userId: string, trading: BotTrading): Promise<string | null> {
  if (choice.type === 'sell' && choice.leastLamports === null) return null;
  const { quote, refusal } = await trading.quote(userId, asked);
  if (refusal || !quote) return refusal ? reasonText(refusal) : EXPIRED;
  const isWorse =
    choice.type === 'buy'
      ? BigInt(quote.tokens) < BigInt(choice.leastTokens)
      : quote.lamports < (choice.leastLamports ?? 0);
  const limit = percentText(choice.slippageBps);
  return isWorse ? `The price moved beyond ${limit} since this offer. Nothing was done; send the command again.` : null;
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

function placedText(order: Order, choice: Trade): string {
  if (order.failure) return `Not ${choice.type === 'buy' ? 'bought' : 'sold'}: ${reasonText(order.failure)}`;
  const what =
    choice.type === 'buy'
      ? `buying ${choice.label} for ${sol(choice.lamports)}`
      : `selling ${choice.sharePercent} % of ${choice.label}`;
  return `Order taken: ${what} (${modeBadge(order.mode)}). /orders shows what becomes of it.`;
}

async function pauseExits({ isOver }: Pressed, user: UserRecord, trading: BotTrading): Promise<string> {
  if (isOver) return EXPIRED;
  await trading.stop({ user, address: FROM_TELEGRAM }, { sell: false, pausesExits: true });
  return 'Exits are paused: nothing is sold by itself until you resume.';
}

async function sellEverything(
  { mode, isNew, isOver }: Pressed,
  user: UserRecord,
  trading: BotTrading,
): Promise<string> {
  const userId = user._id.toHexString();
  if (!isNew) {
    const report = await trading.stopReport(userId);
    if (report?.sells) return 'Everything is being sold.';
    if (isOver) return EXPIRED;
  }
  const allowed = botMode(await trading.account(userId));
  if ('refusal' in allowed) return allowed.refusal;
  if (allowed.mode !== mode) return EXPIRED;
  const { positions } = await trading.stop({ user, address: FROM_TELEGRAM }, { sell: true });
  const many = positions.length === 1 ? '1 position is' : `${positions.length} positions are`;
  return `${many} being sold. /orders shows what becomes of ${positions.length === 1 ? 'it' : 'them'}.`;
}
