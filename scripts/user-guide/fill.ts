import { type Browser, expect, type Page } from '@playwright/test';
import type { Template } from '../../common/templates/model.ts';
import type { TradingAccount } from '../../common/trading/account.ts';
import { type Order, tradeWarningSchema } from '../../common/trading/order.ts';
import type { TelegramEmulator } from '../telegram-emulator/emulator.ts';
import { admin, others, type Person, signedIn, TRADER_CHAT, trader } from './people.ts';

/** Detection, alerts and messages take a while on a busy machine. */
const MARKET_TIMEOUT = { timeout: 180_000 };

const alerts = { minLiquidity: 0.5, maxRisk: 40, newTokenAlerts: true, priceChangeAlerts: true, alertsPerHour: 60 };

interface Filled {
  user: Person;
  newcomer: Person;
  operator: Person;
  /** Addresses of a promising token and of a risky one. */
  token: string;
  risky: string;
  /** Address of a token that the user holds. */
  traded: string;
}

/** Fills a fresh product as users would. */
export async function fill(browser: Browser, url: string, telegram: TelegramEmulator): Promise<Filled> {
  const operator = await signedIn(browser, url, admin, 'login');
  await plainTemplates(operator.page);
  const newcomer = await signedIn(browser, url, { username: 'liam', password: trader.password }, 'register');
  const friend = await makeWallet(newcomer.page);
  await makeOthers(browser, url, telegram);
  const user = await signedIn(browser, url, trader, 'register');
  await linkChat(user, telegram, { id: TRADER_CHAT, username: trader.username });
  await send(user.page, 'patch', '/api/settings', { telegramUsername: trader.username, alerts });
  await makeWallet(user.page);
  await fillWallet(user.page, friend);
  await makeRules(user);
  await makeStrategies(user);
  const shown = await watchTokens(user.page);
  const traded = await trade(user.page);
  await sendCommands(telegram);
  await send(operator.page, 'post', '/api/broadcast-message', {
    message: 'Mintwatch is updated tonight at 22:00 UTC.',
  });
  await expect.poll(() => telegram.sent(TRADER_CHAT).length, MARKET_TIMEOUT).toBeGreaterThan(8);
  return { user, newcomer, operator, traded, ...shown };
}

/** Removes the emoji from the templates: the browser may have no font for them. */
async function plainTemplates(page: Page): Promise<void> {
  const path = '/api/admin/notification-templates';
  const templates = (await (await page.request.get(path)).json()) as Template[];
  for (const { id, name, type, template, isDefault } of templates) {
    const plain = template.replaceAll(/\p{Extended_Pictographic}\s*/gu, '');
    if (plain === template) continue;
    await send(page, 'patch', `${path}/${id}`, { name, type, template: plain, isDefault });
  }
}

async function send(page: Page, method: 'post' | 'patch' | 'put', path: string, data: object): Promise<void> {
  const response = await page.request[method](path, { data });
  expect(response.ok(), `${method} ${path}: ${response.ok() ? '' : await response.text()}`).toBe(true);
}

/** Registers other users with linked chats. */
async function makeOthers(browser: Browser, url: string, telegram: TelegramEmulator): Promise<void> {
  for (const { username, chat } of others) {
    const person = await signedIn(browser, url, { username, password: trader.password }, 'register');
    await linkChat(person, telegram, { id: chat, username });
    await person.page.context().close();
  }
}

async function linkChat(person: Person, telegram: TelegramEmulator, writer: { id: number; username: string }) {
  const { page } = person;
  let code = '';
  // At first the bot is still starting.
  await expect
    .poll(async () => {
      const response = await page.request.post('/api/telegram/link');
      if (response.ok()) ({ code } = (await response.json()) as { code: string });
      return response.status();
    }, MARKET_TIMEOUT)
    .toBe(200);
  telegram.write(writer, `/start ${code}`);
  const linked = async () => (await (await page.request.get('/api/telegram/link')).json()) as { linked: unknown };
  await expect.poll(async () => (await linked()).linked, MARKET_TIMEOUT).not.toBeNull();
}

async function makeWallet(page: Page): Promise<string> {
  await page.goto('/app/wallet');
  await page.getByRole('button', { name: 'Generate Wallet' }).click();
  const details = page.getByRole('region', { name: 'WALLET DETAILS' });
  return (await details.locator('p.font-mono').first().textContent()) ?? '';
}

/** Requests test SOL twice and sends two transfers to another user. */
async function fillWallet(page: Page, to: string): Promise<void> {
  const balance = page.getByRole('region', { name: 'WALLET BALANCE' });
  for (const after of ['1.0000 SOL', '2.0000 SOL']) {
    await balance.getByRole('button', { name: 'Get test SOL' }).click();
    await expect(balance.getByText(after, { exact: true })).toBeVisible({ timeout: 30_000 });
  }
  for (const amount of ['0.25', '0.1']) {
    await page.reload();
    await expect(balance.getByText(/^1\.|^2\./).first()).toBeVisible();
    await page.getByLabel('Recipient address').fill(to);
    await page.getByLabel('Amount (SOL)').fill(amount);
    await page.getByRole('button', { name: 'Transfer SOL' }).click();
    const question = page.getByRole('dialog', { name: 'Send SOL?' });
    await question.getByLabel('Password', { exact: true }).fill(trader.password);
    await question.getByRole('button', { name: `Send ${amount} SOL` }).click();
    await expect(page.getByText('Your SOL has been transferred successfully.', { exact: true })).toBeVisible();
  }
}

async function makeRules({ page }: Person): Promise<void> {
  const rule = { maxSlippage: 5, isActive: true };
  await send(page, 'post', '/api/auto-buy-rules', {
    ...rule,
    name: 'Aggressive Buys',
    buyAmount: 0.5,
    minLiquidity: 0.2,
    maxRisk: 50,
    maxSlippage: 10,
    isActive: false,
  });
  await send(page, 'post', '/api/auto-buy-rules', {
    ...rule,
    name: 'Low Risk Small Buys',
    buyAmount: 0.1,
    minLiquidity: 0.5,
    maxRisk: 20,
  });
}

async function makeStrategies({ page, id: userId }: Person): Promise<void> {
  const strategy = { userId, maxSlippage: 3, stopLoss: 10, takeProfit: 20, isActive: true };
  await send(page, 'post', '/api/buying-strategies', {
    ...strategy,
    name: 'After the first minute',
    type: 'time_based',
    buyAmount: 0.05,
    configuration: { timeConfig: { option: 'buy_after_duration', duration: 60 } },
  });
  await send(page, 'post', '/api/buying-strategies', {
    ...strategy,
    name: 'Rising and held by many',
    description: 'Waits for both, and buys little.',
    type: 'mixed',
    buyAmount: 0.1,
    configuration: {
      priceConfig: { option: 'buy_at_uptrend', trendPercentage: 15, trendDuration: 300 },
      holderConfig: { option: 'buy_at_minimum_holders', minHolders: 40 },
      requireAllConditions: true,
    },
  });
}

interface Listed {
  address: string;
  holderCount: number | null;
  scamProbability: number | null;
}

/** Adds three tokens to the watch list. Returns the runner with the most holders and the token with the highest risk. */
async function watchTokens(page: Page): Promise<{ token: string; risky: string }> {
  const list = async (path: string) => (await (await page.request.get(path)).json()) as Listed[];
  await expect
    .poll(async () => (await list('/api/tokens/potential-runners')).length, MARKET_TIMEOUT)
    .toBeGreaterThan(2);
  await expect.poll(async () => (await list('/api/tokens/might-run')).length, MARKET_TIMEOUT).toBeGreaterThan(0);
  const runners = await list('/api/tokens/potential-runners');
  const [held, second] = runners.sort((a, b) => (b.holderCount ?? 0) - (a.holderCount ?? 0));
  const [mightRun] = await list('/api/tokens/might-run');
  const [risky] = (await list('/api/tokens')).sort((a, b) => (b.scamProbability ?? 0) - (a.scamProbability ?? 0));
  if (!held || !second || !mightRun || !risky) throw new Error('the market has too few tokens');
  for (const { address } of [second, mightRun, held]) await send(page, 'put', `/api/watchlists/watch/${address}`, {});
  return { token: held.address, risky: risky.address };
}

/** Buys two tokens and sells half of the second. Returns the address of the first. */
async function trade(page: Page): Promise<string> {
  const [first, second] = await tradable(page);
  if (first === undefined || second === undefined) throw new Error('too few tokens can be bought');
  await order(page, { side: 'buy', address: first, lamports: 250_000_000 });
  await order(page, { side: 'buy', address: second, lamports: 100_000_000 });
  await order(page, { side: 'sell', address: second, sharePercent: 50 });
  return first;
}

/** Returns the addresses of tokens that can be bought, runners first. */
async function tradable(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const path of ['/api/tokens/potential-runners', '/api/tokens/new']) {
    const listed = (await (await page.request.get(path)).json()) as Listed[];
    for (const { address } of listed.slice(0, 10)) {
      if (!found.includes(address) && (await isTradable(page, address))) found.push(address);
    }
  }
  return found;
}

async function isTradable(page: Page, address: string): Promise<boolean> {
  const path = `/api/trading/quote?address=${address}&side=buy&lamports=100000000`;
  return ((await (await page.request.get(path)).json()) as { refusal: unknown }).refusal === null;
}

/** Places an order in the user's mode and waits until it is confirmed. */
async function order(page: Page, fields: object): Promise<void> {
  const { mode } = (await (await page.request.get('/api/trading/account')).json()) as TradingAccount;
  const data = { ...fields, clientId: crypto.randomUUID(), mode, from: 'page', accept: tradeWarningSchema.options };
  const placed = await page.request.post('/api/trading/orders', { data });
  expect(placed.ok(), await placed.text()).toBe(true);
  const { id } = (await placed.json()) as { id: string };
  const state = async () => ((await (await page.request.get(`/api/trading/orders/${id}`)).json()) as Order).status;
  await expect.poll(state, MARKET_TIMEOUT).toBe('confirmed');
}

/** Sends commands of several users to the bot. */
async function sendCommands(telegram: TelegramEmulator): Promise<void> {
  const [sofia, mateo, aiko] = others;
  const lines = [
    [TRADER_CHAT, trader.username, '/help'],
    [sofia.chat, sofia.username, '/new'],
    [mateo.chat, mateo.username, '/runners'],
    [aiko.chat, aiko.username, '/status'],
    [TRADER_CHAT, trader.username, '/balance'],
    [sofia.chat, sofia.username, '/rules'],
  ] as const;
  for (const [id, username, text] of lines) telegram.write({ id, username }, text);
  await expect.poll(() => telegram.pending()).toBe(0);
}
