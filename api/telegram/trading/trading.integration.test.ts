import { expect, test, vi } from 'vitest';
import { PublicError } from '../../../common/errors.ts';
import { defaultPresets } from '../../../common/trading/account.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { testConnection } from '../../testing/database.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import { CONFIRM_MS } from '../confirms.ts';
import { telegramModels } from '../links.ts';
import { botWorld, linkedChat } from '../testing/bot-world.ts';
import { fakePosition } from '../testing/fake-trading.ts';
import { LIVE_OFF } from './engine.ts';
import { changedModeText } from './text.ts';

const DOG = tokenRecord(1, { symbol: 'DOG', name: 'Dog' });
const CATS = [tokenRecord(2, { symbol: 'CAT' }), tokenRecord(3, { symbol: 'cat' })];
const SOL = 1_000_000_000;

const connection = await testConnection();

const world = () => botWorld(connection, [DOG, ...CATS]);

test('/buy offers the presets within the limit of the bot, with every cost, and a press places one order [S1-03]', async () => {
  const { ask, press, newest, trading, emulator, chat } = await world();
  const offer = await ask('/buy dog');
  expect(offer.split('\n')).toEqual([
    'Buy DOG · Local chain, play money',
    DOG._id,
    '',
    'P1 · 0.05 SOL: about 1,500 DOG, at least 1,425 (slippage 5.0 %)',
    'Price impact 1.2 %',
    'Launchpad fee 0.00125 SOL · network 0.000005 SOL · priority up to 0.0001 SOL · tip none · account rent 0.002039 SOL (comes back when you sell all)',
    'Leaves your wallet: at most 0.05215 SOL',
    'Mind that its risk is unknown.',
    '',
    'P2 · 0.1 SOL: about 3,000 DOG, at least 2,850 (slippage 5.0 %)',
    'Price impact 1.2 %',
    'Launchpad fee 0.00125 SOL · network 0.000005 SOL · priority up to 0.0001 SOL · tip none · account rent 0.002039 SOL (comes back when you sell all)',
    'Leaves your wallet: at most 0.1022 SOL',
    'Mind that its risk is unknown.',
  ]);
  expect(newest().buttons).toEqual([['P1: Buy 0.05 SOL', 'P2: Buy 0.1 SOL'], ['Cancel']]);
  await press(emulator.button(chat, 'P2: Buy 0.1 SOL'));
  expect(newest()).toEqual({
    text: `${offer}\n\nOrder taken: buying DOG for 0.1 SOL (Local chain, play money). /orders shows what becomes of it.`,
    buttons: [],
  });
  expect([...trading.byKey.values()]).toMatchObject([{ side: 'buy', lamports: SOL / 10, slippageBps: 500 }]);
  expect(await ask('/orders')).toMatch(
    /^Buy DOG for 0\.1 SOL: waits\nLocal chain, play money · 2026-11-21 08:00:00 UTC/,
  );
});

test('a button works once, whether pressed twice, together with another one, or by a repeated update [T-20]', async () => {
  const { ask, press, wait, trading, emulator, chat } = await world();
  await ask('/buy DOG');
  const [small, large] = [emulator.button(chat, 'P1: Buy 0.05 SOL'), emulator.button(chat, 'P2: Buy 0.1 SOL')];
  emulator.press(chat, small);
  await press(small);
  expect(await press(large)).toBe('This was answered already.');
  await vi.waitFor(() => expect(emulator.answers()).toHaveLength(3));
  expect([...trading.byKey.values()]).toMatchObject([{ lamports: SOL / 20 }]);
  // Also after the question has expired: the press was made in time.
  wait(CONFIRM_MS + 1);
  expect(await press(small)).toBeNull();
  expect(trading.byKey.size).toBe(1);
});

test('a press is acknowledged only once its order is stored, and comes again without a second order [T-20]', async () => {
  const { ask, trading, emulator, chat, newest } = await world();
  await ask('/buy DOG 0.02');
  // Nothing can be stored.
  const { place } = trading;
  trading.place = () => Promise.reject(new PublicError('unavailable'));
  emulator.press(chat, emulator.button(chat, 'Buy 0.02 SOL'));
  await vi.waitFor(() => expect(emulator.answers().at(-1)?.text).toMatch(/^Not done yet: the database/));
  expect([emulator.pending(), trading.byKey.size]).toEqual([1, 0]);
  // The order is stored, and its response is lost.
  trading.loseResponses(true);
  trading.place = place;
  await vi.waitFor(() => expect(newest().text).toContain('Order taken: buying DOG for 0.02 SOL'));
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  expect(trading.byKey.size).toBe(1);
});

test('a press that was not stored before a restart places no order after it [T-20]', async () => {
  const { ask, trading, emulator, chat, restart, newest } = await world();
  await ask('/buy DOG 0.02');
  trading.place = () => Promise.reject(new PublicError('unavailable'));
  emulator.press(chat, emulator.button(chat, 'Buy 0.02 SOL'));
  await vi.waitFor(() => expect(emulator.answers()).toHaveLength(1));
  await restart();
  await vi.waitFor(() => expect(newest().text).toMatch(/\n\nThis offer is no longer valid\. Nothing was done\.$/));
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  expect([trading.byKey.size, newest().buttons]).toEqual([0, []]);
});

test('after a restart the buttons of a stop report the sale, the pause of exits, or that nothing was done', async () => {
  const { ask, press, trading, emulator, chat, restart, newest } = await world();
  trading.hold(fakePosition({ address: DOG._id, name: 'Dog', symbol: 'DOG', decimals: 6 }));
  await ask('/stop');
  const before = emulator.button(chat, 'Sell everything');
  await restart();
  await press(before);
  expect(newest().text).toMatch(/This offer is no longer valid\. Nothing was done\.$/);
  await ask('/stop');
  await press(emulator.button(chat, 'Pause exits too'));
  await restart();
  await press(before);
  expect(newest().text).toMatch(/Exits are paused: nothing is sold by itself until you resume\.$/);
  // The process ends after the stop is stored, before the press is acknowledged.
  await ask('/stop');
  const stopTrading = trading.stop;
  trading.stop = async (...request) => {
    await stopTrading(...request);
    return new Promise<never>(() => {});
  };
  emulator.press(chat, emulator.button(chat, 'Sell everything'));
  await vi.waitFor(() => expect(trading.stops.at(-1)).toEqual({ sell: true }));
  await restart();
  await vi.waitFor(() => expect(newest().text).toMatch(/Everything is being sold\.$/));
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  expect(trading.stops.filter(({ sell }) => sell)).toHaveLength(1);
});

test('a bot stopped while it stops trading does so after the restart', async () => {
  const { trading, emulator, chat, restart, stop } = await world();
  const stopTrading = trading.stop;
  trading.stop = () => new Promise<never>(() => {});
  const update = emulator.write(chat, '/stop');
  const acknowledged = () => emulator.calls('getUpdates').some(({ params }) => Number(params.offset ?? 0) > update);
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(false));
  await stop();
  expect(acknowledged()).toBe(false);
  trading.stop = stopTrading;
  await restart();
  await vi.waitFor(() => expect(emulator.sent(chat).at(-1)?.text).toMatch(/^Buying has stopped/));
  await vi.waitFor(() => expect(acknowledged()).toBe(true));
  expect(trading.stops).toEqual([{ sell: false }]);
});

test('a stop waits neither for 600 messages of a stranger before it nor for the replies to them', async () => {
  const { trading, emulator, chat, newest } = await world();
  const stranger = chat + 1;
  let release = () => {};
  emulator.setChatFault(stranger, { kind: 'held', until: new Promise<void>((resolve) => (release = resolve)) });
  for (let number = 0; number < 600; number += 1) {
    emulator.write(stranger, ['x', '/stop', '/buy DOG 0.1'][number % 3] ?? '');
  }
  emulator.write(chat, '/stop');
  await vi.waitFor(() => expect(trading.stops).toEqual([{ sell: false }]));
  await vi.waitFor(() => expect(newest().text).toMatch(/^Buying has stopped/));
  release();
  await vi.waitFor(() => expect(emulator.sent(stranger)).toHaveLength(2));
  expect(emulator.pending()).toBe(0);
});

test('a command that was not acknowledged before a restart is processed after it, once', async () => {
  const { emulator, chat, restart, stop, newest } = await world();
  await stop();
  emulator.write(chat, '/buy DOG 0.02');
  await restart();
  await vi.waitFor(() => expect(newest().text).toMatch(/^Buy DOG/));
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  expect(emulator.sent(chat)).toHaveLength(1);
});

test('an expired button, another chat, an unlinked chat and foreign data buy nothing [T-20]', async () => {
  const { ask, press, wait, trading, emulator, chat } = await world();
  await ask('/buy DOG 0.03');
  const button = emulator.button(chat, 'Buy 0.03 SOL');
  const other = chat + 1;
  await linkedChat(connection, other);
  emulator.open(other);
  const textOf = (at: number) => emulator.sent(at).at(-1)?.text;
  await press({ ...button, message: { ...button.message, chatId: other } }, other);
  await vi.waitFor(() => expect(textOf(other)).toMatch(/no longer valid\. Nothing was done\.$/));
  expect(await press(button, other)).toBe('This button no longer works.');
  expect(await press({ ...button, data: 'c:0:0' })).toBe('This button no longer works.');
  expect(await press({ ...button, data: button.data.replace(/0$/, '7') })).toBe('This button no longer works.');
  await press({ ...button, data: 'c:0123456789012345678901:0' });
  expect(textOf(chat)).toMatch(/no longer valid\. Nothing was done\.$/);
  await ask('/buy DOG 0.03');
  const late = emulator.button(chat, 'Buy 0.03 SOL');
  wait(CONFIRM_MS + 1);
  await press(late);
  expect(textOf(chat)).toMatch(/no longer valid\. Nothing was done\.$/);
  await ask('/buy DOG 0.04');
  const second = emulator.button(chat, 'Buy 0.04 SOL');
  await telegramModels(connection).links.deleteOne({ chatId: String(chat) });
  expect(await press(second)).toBe('This button no longer works.');
  expect(trading.byKey.size).toBe(0);
});

test('refuses a press whose price, mode or limit is no longer the offered one', async () => {
  const { ask, press, trading, emulator, chat, newest } = await world();
  const pressed = async (change: () => void) => {
    await ask('/buy DOG 0.1');
    change();
    await press(emulator.button(chat, 'Buy 0.1 SOL'));
    return newest().text.split('\n').at(-1);
  };
  expect(await pressed(() => trading.movePrice(1.1))).toMatch(/^The price moved beyond 5\.0 % since this offer/);
  expect(await pressed(() => trading.change({ bot: { live: false, maxLamports: SOL / 20 } }))).toMatch(
    /^0\.101005 SOL .* exceeds/,
  );
  trading.change({ bot: { live: true, maxLamports: SOL } });
  expect(await pressed(() => trading.change({ mode: 'live' }))).toMatch(/^You have changed to Mainnet \(beta\)/);
  expect(await pressed(() => trading.refuse({ quote: null, refusal: reason('between-venues') }))).toMatch(
    /^The coin is moving/,
  );
  trading.refuse(null);
  const refusedBy = async (error: PublicError) => {
    await ask('/buy DOG 0.1');
    trading.place = () => Promise.reject(error);
    return press(emulator.button(chat, 'Buy 0.1 SOL'));
  };
  const changedMode = new PublicError('confirm-needed', { text: changedModeText('paper') });
  expect(await refusedBy(changedMode)).toMatch(/^You have changed to Paper/);
  const newWarning = new PublicError('confirm-needed', { details: { accept: ['high-risk'] } });
  expect(await refusedBy(newWarning)).toMatch(/^The facts about this token have changed/);
  expect(trading.byKey.size).toBe(0);
});

test('/buy of a preset orders by its terms, and an amount by those of the chosen one', async () => {
  const { ask, press, trading, emulator, chat } = await world();
  const [first, second, third] = defaultPresets.buy;
  const fast = { slippageBps: 1_500, priorityMaxLamports: 900_000, tipLamports: 20_000, isProtected: true };
  trading.change({ presets: { ...defaultPresets, buy: [first, second, { ...third, ...fast, lamports: SOL / 40 }] } });
  await ask('/buy dog p3');
  await press(emulator.button(chat, 'P3: Buy 0.025 SOL'));
  expect([...trading.byKey.values()].at(-1)).toMatchObject({ lamports: SOL / 40, slippageBps: 1_500 });
  expect(trading.placed.at(-1)).toMatchObject({ ...fast, lamports: SOL / 40 });
  await ask('/buy dog 0.03');
  await press(emulator.button(chat, 'Buy 0.03 SOL'));
  expect(trading.placed.at(-1)).toMatchObject({ ...second, lamports: (3 * SOL) / 100 });
});

test('/buy of a symbol with several tokens lists age, market cap and a button of each, and one press buys that token', async () => {
  const { ask, press, trading, emulator, chat, newest } = await world();
  const text = await ask('/buy cat');
  const addresses = CATS.map(({ _id }) => _id);
  expect(text).toMatch(/^2 tokens have this symbol · Local chain, play money\n/);
  for (const [at, address] of addresses.entries()) {
    expect(text).toMatch(
      new RegExp(`^${at + 1}\\. (CAT|cat) · created .+ · market cap \\S+\n${address}\n0\\.1 SOL: about`, 'm'),
    );
  }
  expect(newest().buttons).toEqual([['1. Buy 0.1 SOL', '2. Buy 0.1 SOL'], ['Cancel']]);
  await press(emulator.button(chat, '2. Buy 0.1 SOL'));
  expect([...trading.byKey.values()]).toMatchObject([{ side: 'buy', token: { address: addresses[1] } }]);
});

test('a symbol of several tokens that names no purchase demands the address, and a refused amount has no button', async () => {
  const { ask, trading, newest } = await world();
  expect(await ask('/why cat')).toBe(
    `2 tokens have this symbol. Send the address of the one you mean:\n${CATS.map(({ _id }) => _id).join('\n')}`,
  );
  expect(await ask(`/buy ${DOG._id} abc`)).toMatch(/^“abc” is not an amount of SOL or a preset\. Send \/buy/);
  expect(await ask(`/sell ${DOG._id} 500`)).toMatch(/^“500” is not a percentage from 1 to 100\. Send \/sell/);
  expect(await ask('/buy')).toMatch(/^Which one\? Send \/buy/);
  expect(await ask('/buy NOPE')).toBe('No token with this symbol is known.');
  expect(await ask(`/buy ${addressNumber(99)}`)).toBe('No token with this address is known.');
  trading.refuse({ quote: null, refusal: reason('no-depth') });
  expect(await ask(`/buy ${DOG._id} 0.1`)).toContain('0.1 SOL: The depth of its market is unknown.');
  expect(newest().buttons).toEqual([]);
});

test('real money by the bot is off until it is switched on, and has a limit of its own [T-21]', async () => {
  const { ask, trading, newest } = await world();
  trading.change({ mode: 'live' });
  for (const text of ['/buy DOG 0.1', '/sell DOG']) expect(await ask(text)).toBe(LIVE_OFF);
  trading.change({ bot: { live: true, maxLamports: SOL / 20 } });
  // The fees count too: 0.05 SOL alone would be within the limit.
  expect(await ask('/buy DOG 0.05')).toMatch(
    /^0\.051005 SOL \(0\.05 SOL and at most 0\.001005 SOL of fees\) exceeds your limit of 0\.05 SOL for one purchase by the bot/,
  );
  // No preset fits, so that the bot offers what the fees leave.
  expect(await ask('/buy DOG')).toContain('Buy DOG · Mainnet (beta)');
  expect(newest().buttons[0]).toEqual(['Buy 0.048995 SOL']);
  trading.change({ bot: { live: true, maxLamports: SOL / 1_000 } });
  expect(await ask('/buy DOG')).toMatch(/exceeds your limit of 0\.001 SOL/);
});

test('/positions shows value and profit, and its buttons sell a share of one token', async () => {
  const { ask, press, trading, emulator, chat, newest } = await world();
  expect(await ask('/positions')).toMatch(/^No positions\./);
  const [dog, cat] = [DOG, CATS[0] ?? DOG].map(({ _id, name, symbol }) =>
    fakePosition({ address: _id, name, symbol, decimals: 6 }),
  );
  if (dog && cat) for (const one of [dog, cat]) trading.hold(one);
  const text = await ask('/positions');
  expect(text).toContain('1,000 DOG, cost 0.1 SOL\nWould return now: 0.12 SOL\nProfit: +0.02 SOL (+20.0 %)');
  await press(emulator.button(chat, 'Sell 50 % · DOG'));
  expect(newest()).toMatchObject({
    text: expect.stringMatching(/Order taken: selling 50 % of DOG/),
    buttons: [['Sell 50 % · CAT', 'Sell all · CAT'], ['Sell the initial · CAT']],
  });
  expect([...trading.byKey.values()]).toMatchObject([{ side: 'sell', token: { address: DOG._id } }]);
});

test('/positions offers the initial of each position whose sale returns it, and a press sells it once', async () => {
  const { ask, press, trading, emulator, chat, newest } = await world();
  const held = fakePosition({ address: DOG._id, name: 'Dog', symbol: 'DOG', decimals: 6 });
  const byRule = { ...fakePosition(held.token), origin: { kind: 'rule' as const, name: 'Snipe https://a.example' } };
  const returned = { ...fakePosition(held.token), proceedsLamports: held.paidLamports };
  for (const one of [held, byRule, returned]) trading.hold(one);
  await ask('/positions');
  expect(newest().buttons).toEqual([
    ['Sell 50 % · DOG', 'Sell all · DOG'],
    ['Sell the initial · DOG'],
    [expect.stringMatching(/^Sell the initial · DOG by Snipe(?!.*:\/\/)/)],
  ]);
  const button = emulator.button(chat, 'Sell the initial · DOG');
  emulator.press(chat, button);
  await press(button);
  expect(newest().text).toContain('Order taken: selling the initial of DOG (Local chain, play money).');
  expect(trading.placed).toMatchObject([{ side: 'sell', sharePercent: null, initialOf: held.id }]);
});

test('/sell offers shares of a held token, and sells one of them', async () => {
  const { ask, press, trading, emulator, chat, newest } = await world();
  trading.hold(fakePosition({ address: DOG._id, name: 'Dog', symbol: 'DOG', decimals: 6 }));
  expect(await ask('/sell CAT')).toMatch(/^You hold no token with this symbol/);
  await ask('/sell dog');
  expect(newest().buttons).toEqual([['P1: Sell 25 %', 'P2: Sell 50 %', 'P3: Sell all'], ['Cancel']]);
  await ask('/sell dog 40 %');
  await press(emulator.button(chat, 'Sell 40 %'));
  expect(newest().text).toContain('Order taken: selling 40 % of DOG');
  expect(trading.byKey.size).toBe(1);
  trading.refuse({ quote: null, refusal: reason('no-depth') });
  expect(await ask('/sell dog')).toMatch(/\n\nSell 25 %, Sell 50 %, Sell all: The depth of its market is unknown\.$/);
});

test('/stop acts before it asks, also from a chat that wrote too much, and sells everything once', async () => {
  const { trading, emulator, chat } = await world();
  trading.hold(fakePosition({ address: DOG._id, name: 'Dog', symbol: 'DOG', decimals: 6 }));
  for (let number = 0; number < 8; number += 1) emulator.write(chat, '/orders');
  emulator.write(chat, '/stop');
  await vi.waitFor(() => expect(trading.stops).toEqual([{ sell: false }]));
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  // The limit of the chat has not been restored yet.
  emulator.write(chat, '/stop');
  await vi.waitFor(() => expect(trading.stops).toHaveLength(2));
});

test('a button of /stop pauses exits too [T-30]', async () => {
  const { ask, press, trading, emulator, chat, newest } = await world();
  trading.hold(fakePosition({ address: DOG._id, name: 'Dog', symbol: 'DOG', decimals: 6 }));
  await ask('/stop');
  await press(emulator.button(chat, 'Pause exits too'));
  await vi.waitFor(() => expect(trading.stops).toEqual([{ sell: false }, { sell: false, pausesExits: true }]));
  expect(await ask('/stop')).toContain('Their exits are paused.');
  expect(newest().buttons).toEqual([['Sell everything'], ['Keep positions']]);
});

test('the buttons of /stop sell everything once, or keep it, and /resume needs the website for real money', async () => {
  const { ask, press, trading, emulator, chat, newest } = await world();
  trading.hold(fakePosition({ address: DOG._id, name: 'Dog', symbol: 'DOG', decimals: 6 }));
  expect((await ask('/stop')).split('\n')).toEqual([
    'Buying has stopped.',
    '2 orders that waited were cancelled.',
    '1 order sent before is followed to the end.',
    'Your 1 position stays.',
    'Their exits go on.',
    'Resume with /resume or on the website.',
  ]);
  expect(newest().buttons).toEqual([['Sell everything'], ['Pause exits too'], ['Keep positions']]);
  const sell = emulator.button(chat, 'Sell everything');
  emulator.press(chat, sell);
  await press(sell);
  await vi.waitFor(() => expect(emulator.answers()).toHaveLength(2));
  expect(trading.stops).toEqual([{ sell: false }, { sell: true }]);
  trading.change({ mode: 'live' });
  expect(await ask('/resume')).toMatch(/^With real money, resume on the website/);
  trading.change({ mode: 'local' });
  expect(await ask('/resume')).toBe('Buying is possible again. /stop ends it.');
  expect(await ask('/resume')).toBe('Trading is not stopped.');
});

test('/positions and /resume name the locks of protections and their end, or the stop before them [T-27]', async () => {
  const { ask, trading } = await world();
  const until = Date.UTC(2026, 10, 23, 14, 32);
  const numbers = { untilAt: until, stopLosses: 5, minutes: 30 };
  const lock = {
    kind: 'stop-loss-guard' as const,
    until: new Date(until).toISOString(),
    reason: reason('stop-loss-guard', numbers),
  };
  const sentence = /^Automatic buying is locked until 14:32 UTC by the stop-loss guard: 5 stop losses in 30 minutes\./m;
  for (const command of ['/positions', '/resume']) expect(await ask(command)).not.toMatch(sentence);
  trading.change({ locks: [lock] });
  for (const command of ['/positions', '/resume']) expect(await ask(command)).toMatch(sentence);
  trading.change({ stopped: { at: lock.until, by: 'user', pausesExits: false } });
  expect(await ask('/positions')).toContain('You have stopped trading. Resume it to buy again.');
  expect(await ask('/positions')).not.toMatch(sentence);
});
