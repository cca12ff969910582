import { expect, test, vi } from 'vitest';
import type { AuditPage } from '../../../common/audit/model.ts';
import { defaultPresets } from '../../../common/trading/account.ts';
import { openAudit } from '../../audit/service.ts';
import { testConnection } from '../../testing/database.ts';
import { tokenRecord } from '../../testing/tokens.ts';
import { orderModel } from '../../trading/orders/model.ts';
import { CONFIRM_MS } from '../confirms.ts';
import { telegramModels } from '../links.ts';
import { botWorldWith, linkedChat } from '../testing/bot-world.ts';
import { testEngine } from '../testing/trading-engine.ts';
import { type BotTrading, LIVE_OFF } from './engine.ts';

const DOG = tokenRecord(1, { symbol: 'DOG', name: 'Dog' });
const CATS = [tokenRecord(2, { symbol: 'CAT' }), tokenRecord(3, { symbol: 'cat' })];
const SOL = 1_000_000_000;
const [P1] = defaultPresets.buy;

const connection = await testConnection();

/** A chat whose bot trades by the engine. */
async function world() {
  const engine = await testEngine(connection, [DOG, ...CATS]);
  const bot = await botWorldWith(connection, [DOG, ...CATS], engine.bot);
  const userId = bot.user._id.toHexString();
  const by = { user: bot.user, address: '127.0.0.1', confirmReplacement: async () => {} };
  const orders = () => engine.trading.orderStore.list(userId, {});
  const bought = async (amount: string) => {
    await bot.ask(`/buy DOG ${amount}`);
    await bot.press(bot.emulator.button(bot.chat, `Buy ${amount} SOL`));
    await vi.waitFor(async () => expect((await orders())[0]).toMatchObject({ status: 'confirmed', open: false }));
  };
  return { ...bot, engine, userId, by, orders, bought };
}

test('/buy and /sell by buttons make orders of the engine, which follow the chain to its end [S1-03, T-20]', async () => {
  const { ask, press, newest, emulator, chat, orders, bought, engine } = await world();
  await bought('0.1');
  expect(await orders()).toMatchObject([
    { key: expect.stringMatching(/^bot:[\w-]{22}$/), side: 'buy', lamports: SOL / 10, cause: { kind: 'bot' } },
  ]);
  expect(await ask('/orders')).toContain('Buy DOG for 0.1 SOL: confirmed');
  expect(await ask('/positions')).toContain('Positions · Local chain, play money');
  await ask('/sell DOG 50');
  await press(emulator.button(chat, 'Sell 50 %'));
  expect(newest().text).toContain('Order taken: selling 50 % of DOG');
  await vi.waitFor(async () => expect((await orders())[0]).toMatchObject({ side: 'sell', status: 'confirmed' }));
  expect(engine.chain.tokens.get(`${engine.wallet} ${DOG._id}`)).toBe(BigInt(SOL / 20));
});

test('the initial of a position is sold by its button, and by no other one while that sale is on its way [T-20]', async () => {
  const { ask, press, newest, emulator, chat, orders, bought, engine } = await world();
  await bought('0.1');
  await ask('/positions');
  const first = emulator.button(chat, 'Sell the initial · DOG');
  await ask('/positions');
  const second = emulator.button(chat, 'Sell the initial · DOG');
  engine.chain.fates.push('late');
  await press(first);
  expect(emulator.sent(chat).at(-2)?.text).toContain('Order taken: selling the initial of DOG');
  const answer = await press(second);
  expect(answer ?? newest().text).toContain('This position is being sold already.');
  await press(first);
  const sales = (await orders()).filter(({ side }) => side === 'sell');
  expect(sales).toMatchObject([{ key: expect.stringMatching(/^bot:/), tokens: expect.stringMatching(/^[1-9]/) }]);
  expect(sales[0]?.positionId).not.toBeNull();
});

test('a button pressed twice, from two processes and after a restart gives one order [T-20]', async () => {
  const { ask, press, emulator, chat, orders, restart, engine, user } = await world();
  await ask('/buy DOG 0.05');
  const button = emulator.button(chat, 'Buy 0.05 SOL');
  emulator.press(chat, button);
  emulator.press(chat, button);
  await press(button);
  await vi.waitFor(() => expect(emulator.answers()).toHaveLength(3));
  await restart();
  await press(button);
  const [order] = await orders();
  // What the offer promised, however the price moves until the press.
  expect(order?.least).toMatch(/^[1-9]\d*$/);
  expect(order?.attempts[0]?.least ?? order?.least).toBe(order?.least);
  // Another process with the same press.
  const { key = '' } = order ?? {};
  const trade = { ...P1, address: DOG._id, side: 'buy', sharePercent: null } as const;
  const again = Array.from({ length: 20 }, () =>
    engine.bot.place(user._id.toHexString(), { ...trade, key, mode: 'local', least: null, accept: [] }),
  );
  expect(new Set((await Promise.all(again)).map(({ id }) => id))).toEqual(new Set([order?._id.toHexString()]));
  expect(await orders()).toHaveLength(1);
});

test('a press whose process dies after its order was stored gets the true answer after the restart, and one order [T-20]', async () => {
  const engine = await testEngine(connection, [DOG]);
  const placed: string[] = [];
  const dying: BotTrading = {
    ...engine.bot,
    async place(userId, order) {
      placed.push((await engine.bot.place(userId, order)).id);
      return new Promise<never>(() => {});
    },
  };
  const { ask, press, newest, emulator, chat, restart, user } = await botWorldWith(connection, [DOG], dying);
  const orders = () => engine.trading.orderStore.list(user._id.toHexString(), {});
  const offer = await ask('/buy DOG 0.05');
  const button = emulator.button(chat, 'Buy 0.05 SOL');
  emulator.press(chat, button);
  await vi.waitFor(async () => expect((await orders())[0]).toMatchObject({ status: 'confirmed' }));
  // Neither acknowledged nor answered: Telegram brings the same press again.
  expect([emulator.pending(), emulator.answers().length]).toEqual([1, 0]);
  await restart();
  const answer = /^Buy DOG for 0\.05 SOL: confirmed\nGot \S+ DOG for \S+ SOL\nLocal chain, play money · /;
  await vi.waitFor(() => expect(newest().text.slice(offer.length + 2)).toMatch(answer));
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  await press(button);
  expect(newest().text.slice(offer.length + 2)).toMatch(answer);
  expect((await orders()).map(({ _id }) => _id.toHexString())).toEqual(placed);
  expect(placed).toHaveLength(1);
});

test('twenty processes with one key store one order', async () => {
  const { engine, userId, orders } = await world();
  const trade = { ...P1, address: DOG._id, side: 'buy', sharePercent: null } as const;
  const places = Array.from({ length: 20 }, () =>
    engine.bot.place(userId, { ...trade, key: 'bot:the same', mode: 'local', least: null, accept: [] }),
  );
  expect(new Set((await Promise.all(places)).map(({ id }) => id)).size).toBe(1);
  expect(await orders()).toHaveLength(1);
});

test('an expired button, another chat, and a chat without its account store no order [T-20]', async () => {
  const { ask, press, emulator, chat, orders, wait, newest } = await world();
  await ask('/buy DOG 0.03');
  const button = emulator.button(chat, 'Buy 0.03 SOL');
  const other = chat + 1;
  await linkedChat(connection, other);
  emulator.open(other);
  const nothing = /This offer is no longer valid\. Nothing was done\.$/;
  await press({ ...button, message: { ...button.message, chatId: other } }, other);
  await vi.waitFor(() => expect(emulator.sent(other).at(-1)?.text).toMatch(nothing));
  wait(CONFIRM_MS + 1);
  await press(button);
  expect(newest().text).toMatch(nothing);
  await ask('/buy DOG 0.04');
  const second = emulator.button(chat, 'Buy 0.04 SOL');
  await telegramModels(connection).links.deleteOne({ chatId: String(chat) });
  expect(await press(second)).toBe('This button no longer works.');
  expect(await orders()).toEqual([]);
});

test('of a symbol of two tokens the one is bought whose button is pressed', async () => {
  const { ask, press, emulator, chat, orders } = await world();
  expect(await ask('/buy CAT 0.1')).toMatch(/^2 tokens have this symbol/);
  await press(emulator.button(chat, '2. Buy 0.1 SOL'));
  expect(await orders()).toMatchObject([{ token: { address: CATS[1]?._id } }]);
});

test('/stop blocks purchases of the engine at once, and /resume allows them again', async () => {
  const { ask, press, emulator, chat, orders, bought, engine, userId, newest } = await world();
  await bought('0.1');
  await ask('/buy DOG 0.1');
  const offered = emulator.button(chat, 'Buy 0.1 SOL');
  expect(await ask('/stop')).toMatch(/^Buying has stopped\.\nYour 1 position stays\./);
  expect(await engine.trading.accounts.view(userId)).toMatchObject({ stopped: { by: 'telegram' } });
  const sell = emulator.button(chat, 'Sell everything');
  await press(offered);
  expect(await orders()).toHaveLength(1);
  await press(sell);
  expect(newest().text).toContain('1 position is being sold');
  await vi.waitFor(async () =>
    expect((await orders())[0]).toMatchObject({ cause: { kind: 'stop' }, status: 'confirmed' }),
  );
  expect(await ask('/buy DOG 0.1')).toContain('You have stopped trading. Resume it to buy again.');
  expect(await ask('/resume')).toBe('Buying is possible again. /stop ends it.');
  expect(await engine.trading.accounts.view(userId)).toMatchObject({ stopped: null });
});

test('the engine refuses the bot real money until it is on, and beyond its maximum, whatever a command has checked [T-21]', async () => {
  const engine = await testEngine(connection, [DOG], 'live');
  const { ask, user } = await botWorldWith(connection, [DOG], engine.bot);
  const userId = user._id.toHexString();
  const confirmed: string[] = [];
  const by = { user, address: '127.0.0.1', confirmReplacement: async () => void confirmed.push('password') };
  const change = engine.trading.accounts.change;
  await change(userId, { mode: 'live', confirm: 'LIVE' }, by);
  expect(confirmed).toHaveLength(1);
  const place = (lamports: number) =>
    engine.bot.place(userId, {
      ...{ ...P1, address: DOG._id, side: 'buy', lamports, sharePercent: null },
      ...{ key: `bot:${lamports}`, mode: 'live', least: null, accept: [] },
    });
  await expect(place(SOL / 20)).rejects.toMatchObject({ code: 'not-tradable', message: LIVE_OFF });
  expect(await ask('/buy DOG 0.05')).toBe(LIVE_OFF);
  // Fees count: 5,000 lamports for the signature, and the most for priority and tip.
  const fees = 5_000 + P1.priorityMaxLamports + P1.tipLamports;
  await change(userId, { bot: { live: true, maxLamports: SOL / 10 + fees } }, by);
  expect(confirmed).toHaveLength(2);
  await expect(place(SOL / 10 + 1)).rejects.toMatchObject({ message: expect.stringMatching(/exceeds your limit/) });
  await expect(place(SOL / 10)).resolves.toMatchObject({ mode: 'live', lamports: SOL / 10 });
  // A higher maximum is more of the owner's money.
  await change(userId, { bot: { maxLamports: SOL } }, by);
  expect(confirmed).toHaveLength(3);
  await change(userId, { bot: { maxLamports: SOL / 20 } }, by);
  expect(confirmed).toHaveLength(3);
  expect(await ask('/stop')).toMatch(/^Buying has stopped/);
  expect(await ask('/resume')).toMatch(/^With real money, resume on the website/);
  await expect(engine.bot.resume(by)).rejects.toMatchObject({ code: 'password-needed' });
  expect(await engine.trading.accounts.view(userId)).toMatchObject({ stopped: { by: 'telegram' } });
  expect(await orderModel(connection).countDocuments({ userId: user._id })).toBe(1);
});

test('records each switch, limit and stop for its user', async () => {
  const engine = await testEngine(connection, [DOG], 'live');
  const { ask, user } = await botWorldWith(connection, [DOG], engine.bot);
  const userId = user._id.toHexString();
  const by = { user, address: '127.0.0.1', confirmReplacement: async () => {} };
  const { accounts } = engine.trading;
  await accounts.change(userId, { mode: 'live', confirm: 'LIVE' }, by);
  await accounts.change(userId, { limits: { perTradeLamports: SOL / 2, maxOpen: 3 } }, by);
  await accounts.change(userId, { bot: { live: true, maxLamports: SOL / 2 } }, by);
  await accounts.change(userId, { bot: { live: false } }, by);
  await accounts.change(userId, { mode: 'paper' }, by);
  await ask('/stop');
  await ask('/resume');
  const audit = await openAudit(connection, { now: Date.now });
  const entries: Pick<AuditPage['entries'][number], 'action' | 'object'>[] = await audit.listAbout(userId, {
    limit: 20,
  });
  expect(entries.map(({ action, object }) => [action, object])).toEqual([
    ['trading-resumed', null],
    ['trading-stopped', null],
    ['trading-mode-changed', 'paper'],
    ['bot-trading-off', null],
    ['trading-limits-changed', 'maximum of a purchase by bot'],
    ['bot-trading-on', null],
    ['trading-limits-changed', 'perTradeLamports, maxOpen'],
    ['live-trading-on', 'live'],
  ]);
});
