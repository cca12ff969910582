import { expect, vi } from 'vitest';
import { z } from 'zod';
import { telegramCalls } from '../../common/telegram/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import {
  newOrderSchema,
  type Order,
  orderSchema,
  quoteResponseSchema,
  tradeWarningSchema,
} from '../../common/trading/order.ts';
import type { TelegramEmulator } from '../telegram-emulator/emulator.ts';

const WAIT = { timeout: 60_000, interval: 50 };
/** For an order by the bot with its waits. */
const AGAIN = { timeout: 120_000, interval: 50 };
const SOL = 1_000_000_000;
/** The person's chat. */
const CHAT = 4711;

/** A call of a signed-in user. */
type Request = (method: string, path: string, body?: unknown) => Promise<{ status: number; text: string }>;

/** Returns a coin of the market that can be bought now, with its symbol. */
export async function coinForSale(request: Request): Promise<{ address: string }> {
  return vi.waitFor(async () => {
    const { text } = await request('GET', `${tokenCalls.list.path}?limit=20`);
    for (const { address } of z.array(z.looseObject({ address: z.string() })).parse(JSON.parse(text))) {
      const quote = await request('GET', `${tradingCalls.quote.path}?address=${address}&side=buy&lamports=${SOL / 10}`);
      if (quote.status !== 200) continue;
      const { refusal } = quoteResponseSchema.parse(JSON.parse(quote.text));
      if (refusal === null) return { address };
    }
    return expect.fail('no coin can be bought yet');
  }, WAIT);
}

/** Makes an order on the local chain by the page, and resolves when it is over. */
export async function trade(
  request: Request,
  asked: { side: 'buy' | 'sell'; address: string; lamports?: number; sharePercent?: number },
): Promise<Order> {
  const accept = tradeWarningSchema.options;
  const body = newOrderSchema.parse({ ...asked, clientId: crypto.randomUUID(), mode: 'local', from: 'page', accept });
  const { status, text } = await request('POST', tradingCalls.createOrder.path, body);
  expect(status, text).toBe(200);
  const { id } = orderSchema.parse(JSON.parse(text));
  return ended(request, (order) => order.id === id);
}

/** Resolves with the newest of these orders when it is over. */
function ended(request: Request, isOne: (order: Order) => boolean): Promise<Order> {
  return vi.waitFor(async () => {
    const { text } = await request('GET', tradingCalls.orders.path);
    const order = z.array(orderSchema).parse(JSON.parse(text)).find(isOne);
    return order && ['confirmed', 'failed', 'cancelled'].includes(order.status)
      ? order
      : expect.fail(`the order is ${order?.status}`);
  }, WAIT);
}

/** Links the person's chat to the user. */
export async function linkChat(request: Request, emulator: TelegramEmulator): Promise<void> {
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true), WAIT);
  const { text } = await request('POST', telegramCalls.linkCode.path);
  const { code } = telegramCalls.linkCode.output.parse(JSON.parse(text));
  await write(emulator, `/start ${code}`);
}

/** Writes to the bot. Resolves when it has replied. */
export async function write(emulator: TelegramEmulator, text: string): Promise<void> {
  const before = emulator.sent(CHAT).length;
  emulator.write(CHAT, text);
  await vi.waitFor(() => expect(emulator.sent(CHAT).length).toBeGreaterThan(before), WAIT);
}

/**
 * Writes a command to the bot and presses a button of its reply twice, again while the bot asks for that: facts and price of a young
 * coin change. Resolves when the order is over.
 */
export async function tradeByBot(
  request: Request,
  emulator: TelegramEmulator,
  { command, button, side }: { command: string; button: string; side: Order['side'] },
): Promise<Order> {
  const isOne = ({ cause, side: traded }: Order) => cause.kind === 'bot' && traded === side;
  return vi.waitFor(async () => {
    await write(emulator, command);
    const placed = await vi.waitFor(() => emulator.button(CHAT, button), WAIT);
    const before = emulator.answers().length;
    emulator.press(CHAT, placed);
    emulator.press(CHAT, placed);
    await vi.waitFor(() => expect(emulator.answers().length).toBeGreaterThanOrEqual(before + 2), WAIT);
    const replies = JSON.stringify([emulator.answers().slice(before), emulator.sent(CHAT).at(-1)]);
    expect(replies).not.toMatch(/send the command again/i);
    return ended(request, isOne);
  }, AGAIN);
}

/** Returns everything that the bot has sent, with the texts of messages to the chat. */
export function sentByBot(emulator: TelegramEmulator): { everything: string; messages: string[] } {
  return {
    everything: JSON.stringify([emulator.calls(), emulator.sent(), emulator.answers()]),
    messages: emulator.sent(CHAT).map(({ text }) => text),
  };
}
