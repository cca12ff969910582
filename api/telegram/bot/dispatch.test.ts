import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { PublicError } from '../../../common/errors.ts';
import { alertSettingsSchema, defaultAlerts } from '../../../common/settings/model.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { createLog } from '../../platform/log.ts';
import type { SettingsService } from '../../settings/service.ts';
import { addressNumber, tokenPage, tokenRecord } from '../../testing/tokens.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { UserRecord } from '../../users/model.ts';
import { commands } from '../commands/all.ts';
import type { CommandContext } from '../commands/command.ts';
import { createConfirms } from '../confirms.ts';
import { createFakeTrading } from '../testing/fake-trading.ts';
import { dispatch } from './dispatch.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const USER: UserRecord = {
  _id: new Types.ObjectId(),
  username: 'ann',
  usernameKey: 'ann',
  passwordHash: '',
  isAdmin: false,
  isActive: true,
  level: 1,
  magicPoints: 100,
  createdAt: new Date(NOW),
};
const unused = () => Promise.reject(new Error('not expected'));

interface World extends Partial<Omit<CommandContext, 'queries'>> {
  queries?: Partial<CommandContext['queries']>;
  linked?: boolean;
  gone?: boolean;
  active?: boolean;
  timeout?: number;
  from?: string;
}

const made = (minutesAgo: number, rest: Partial<TokenRecord> = {}) =>
  tokenRecord(minutesAgo, { createdAt: NOW - minutesAgo * 60_000, ...rest });

/** Sends `text` to the bot. Returns its reply, the effects on the link, and the log. */
async function ask(
  text: string,
  { linked = true, gone = false, active = true, timeout, from = '7', queries, ...rest }: World = {},
) {
  const done: string[] = [];
  const lines: string[] = [];
  const context: CommandContext = {
    queries: {
      ...{ newest: unused, runners: unused, mightRun: unused, stats: unused, byAddress: unused, list: unused },
      ...queries,
    },
    market: { status: () => [{ source: 'simulator', state: 'live', lastEventAt: null }] },
    watchlists: { add: unused, tokens: unused },
    wallets: { current: async () => null },
    rules: { list: async () => [] },
    settings: { get: unused, change: unused },
    balance: unused,
    trading: createFakeTrading(),
    confirms: createConfirms({ clock: { now: () => NOW } }),
    explainToken: unused,
    links: { redeem: unused, unlink: unused },
    clock: { now: () => NOW },
    publicUrl: null,
    commands,
    ...rest,
  };
  const link = {
    ...{ _id: USER._id, chatId: '7', telegramUserId: '7', username: 'ann' },
    ...{ linkedAt: new Date(NOW), goneAt: gone ? new Date(NOW) : null },
  };
  const reply = await dispatch(
    { kind: 'message', chatId: '7', telegramUserId: from, username: 'ann', firstName: 'Ann', text, at: NOW },
    'our_bot',
    {
      links: {
        ...context.links,
        byChat: async () => (linked ? link : null),
        markBack: async (chatId) => void done.push(`back ${chatId}`),
      },
      users: { findActive: async () => (active ? USER : null) },
      context,
      mayReplyToStranger: () => true,
      log: createLog('debug', { write: (line: string) => lines.push(line) }),
      ...(timeout === undefined ? {} : { timeout }),
    },
  );
  return { reply: reply?.text ?? null, done, log: lines.join('') };
}

test('/help lists every command with its description, and explains linking without a link', async () => {
  const { reply } = await ask('/help', { linked: false });
  for (const { command, description } of commands) expect(reply).toContain(`/${command} – ${description}`);
  expect(reply).toContain('get a link code in Settings → Telegram');
  expect((await ask('/help')).reply).not.toContain('link code');
});

test('names and descriptions follow the rules of Telegram', () => {
  for (const { command, description } of commands) {
    expect(command).toMatch(/^[a-z0-9_]{1,32}$/);
    expect(description.length).toBeLessThanOrEqual(256);
  }
});

test('ignores commands for other bots, and replies to unknown ones', async () => {
  expect((await ask('/help@other_bot')).reply).toBeNull();
  expect((await ask('/help@Our_Bot')).reply).toContain('/start');
  for (const text of ['/nothing', 'hello']) expect((await ask(text)).reply).toMatch(/Unknown command\. \/help/);
});

test('/new lists tokens with the address on a line of its own, units, risk words and reasons', async () => {
  const records = [
    made(3, { riskReason: 'too-early' }),
    made(90, { liquidityLamports: null, riskScore: 80, riskReason: 'drained' }),
  ];
  const queries = { newest: async () => tokenPage(records) };
  const { reply } = await ask('/new', { queries, linked: false });
  expect(reply?.split('\n')).toEqual([
    'New tokens:',
    '',
    'Coin 3 (C3)',
    addressNumber(3),
    'Liquidity 2 SOL · Risk –, Unknown (too early) · 3 minutes ago',
    '',
    'Coin 90 (C90)',
    addressNumber(90),
    'Liquidity – · Risk 80 of 100, High Risk (drained) · 1 hour ago',
  ]);
  const withLinks = await ask('/new', { queries, publicUrl: 'https://mint.example' });
  expect(withLinks.reply).toContain(`\nhttps://mint.example/app/tokens/${addressNumber(3)}`);
});

test.each([
  ['/new', 'No new tokens in the last hour.'],
  ['/runners', 'No token runs right now.'],
  ['/mightrun', 'No token might run right now.'],
])('%s replies to an empty list', async (text, empty) => {
  const none = async () => tokenPage([]);
  const queries = { newest: none, runners: none, mightRun: none };
  expect((await ask(text, { queries })).reply).toBe(empty);
});

test('/token finds by address and by symbol, and names others with the same symbol', async () => {
  const records = [made(1, { symbol: 'DOG' }), made(2, { symbol: 'dog' }), made(3, { symbol: 'DOGE' })];
  const queries = {
    list: async () => tokenPage(records),
    byAddress: async (address: string) => records.find(({ _id }) => _id === address) ?? null,
  };
  const { reply } = await ask(`/token ${addressNumber(1)}`, { queries });
  expect(reply?.split('\n')).toEqual([
    'Coin 1 (DOG)',
    addressNumber(1),
    'Price: 0.00000003 SOL',
    'Liquidity: 2 SOL',
    'Market cap: –',
    'Holders: 1',
    'Risk –, Unknown',
    'Created: 1 minute ago',
  ]);
  const bySymbol = (await ask('/token $dog', { queries })).reply;
  expect(bySymbol).toContain(addressNumber(1));
  expect(bySymbol).toContain(`There is 1 more token with this symbol:\n${addressNumber(2)}`);
  expect(bySymbol).not.toContain(addressNumber(3));
  expect((await ask('/token CAT', { queries })).reply).toBe('No token with this symbol is known.');
  expect((await ask(`/token ${addressNumber(9)}`, { queries })).reply).toBe('No token with this address is known.');
  expect((await ask('/token', { queries })).reply).toContain('/token <address or symbol>');
});

test('a token name cannot imitate lines of the bot', async () => {
  const byAddress = async () => made(1, { name: 'Safe\nRisk 0 of 100, Low Risk\u202E' });
  const { reply } = await ask(`/token ${addressNumber(1)}`, { queries: { byAddress } });
  expect(reply?.split('\n')[0]).toBe('Safe Risk 0 of 100, Low Risk (C1)');
});

test('/status describes the market, the linked account and what locks its buying [T-27]', async () => {
  const stats = async () => ({
    ...{ total: 1234, newLastHour: 12, runners: 3, mightRun: 4, launches: [], simulated: true },
    solUsd: null,
  });
  const trading = createFakeTrading();
  trading.change({
    locks: [{ kind: 'open-positions', until: null, reason: reason('open-positions', { open: 10, limit: 10 }) }],
  });
  expect((await ask('/status', { queries: { stats }, trading })).reply).toBe(
    [
      'Tokens: 1,234, 12 new in the last hour',
      'Runners: 3 · Might run: 4',
      '1 SOL: –',
      'Sources: simulator live',
      'Some of these tokens are simulated.',
      'You have open positions in 10 tokens; your limit is 10.',
      'Linked to ann.',
    ].join('\n'),
  );
});

test('commands of an account need a link, and the person of its chat', async () => {
  for (const text of [
    '/watch',
    '/wallet',
    '/balance',
    '/rules',
    '/alerts',
    '/unlink',
    '/buy X 1',
    '/sell X',
    '/positions',
    '/why X',
    '/stop',
  ]) {
    for (const stranger of [{ linked: false }, { from: '8' }])
      expect((await ask(text, stranger)).reply).toMatch(/^This needs an account\.\n\nTo link this chat/);
    expect((await ask(text, { active: false })).reply).toBe('This account is not active.');
  }
});

test('/wallet and /balance show the wallet, if one is set', async () => {
  expect((await ask('/wallet')).reply).toBe('No wallet is set. Set one in Settings → Wallet.');
  const wallets = { current: async () => ({ walletAddress: 'Wallet1', hasKey: true }) };
  expect((await ask('/wallet', { wallets })).reply).toBe('Your wallet:\nWallet1\nIts private key is stored encrypted.');
  expect((await ask('/balance', { wallets, balance: async () => 1_500_000_000n })).reply).toBe('1.5 SOL\nWallet1');
  const balance = () => Promise.reject(new PublicError('chain-unavailable'));
  expect((await ask('/balance', { wallets, balance })).reply).toMatch(/^The Solana node is not reachable/);
});

test('/rules shows each rule in a sentence', async () => {
  const rule = {
    ...{ id: '1', name: 'Small buys', buyAmount: 0.1, minLiquidity: 0.5, maxRisk: 20, maxSlippage: 5 },
    ...{ isActive: false, buyUnknownRisk: false, buyWithinSeconds: null, createdAt: '', updatedAt: '' },
  };
  expect((await ask('/rules')).reply).toContain('You have no rules.');
  const { reply } = await ask('/rules', { rules: { list: async () => [rule] } });
  expect(reply).toMatch(/^Off: Small buys\n.*0\.1 SOL/);
});

test('/alerts shows the alerts and changes only those it names', async () => {
  const settings = {
    get: async () => ({
      wallet: { walletAddress: null, hasKey: false, savedAt: null },
      telegramUsername: null,
      alerts,
    }),
    async change(_userId: string, change: Parameters<SettingsService['change']>[1]) {
      alerts = alertSettingsSchema.parse({ ...alerts, ...change.alerts });
      return settings.get();
    },
  };
  let alerts = { ...defaultAlerts, minLiquidity: 2 };
  expect((await ask('/alerts', { settings })).reply).toMatch(
    /^New tokens: on\nPrice changes: on\nOnly with at least 2 SOL/,
  );
  expect((await ask('/alerts new off', { settings })).reply).toMatch(/^New tokens: off\nPrice changes: on\n/);
  expect((await ask('/alerts PRICE off', { settings })).reply).toMatch(/^New tokens: off\nPrice changes: off\n/);
  expect((await ask('/alerts on', { settings })).reply).toMatch(/^New tokens: on\nPrice changes: on\n/);
  expect(alerts.minLiquidity).toBe(2);
  expect((await ask('/alerts limit 12', { settings })).reply).toContain('At most 12 an hour');
  expect(alerts).toEqual({ ...defaultAlerts, minLiquidity: 2, alertsPerHour: 12 });
  for (const unknown of ['maybe', 'limit 0', 'limit 61', 'limit many'])
    expect((await ask(`/alerts ${unknown}`, { settings })).reply).toContain('/alerts new on');
});

test('/watch refuses an invalid address, and returns the error of the service', async () => {
  expect((await ask('/watch DOG')).reply).toMatch(/^This is no token address/);
  const tokens = async () => [];
  const add = () => Promise.reject(new PublicError('token-not-found'));
  expect((await ask(`/watch ${addressNumber(1)}`, { watchlists: { add, tokens } })).reply).toBe(
    'No token with this address is known.',
  );
  expect((await ask('/watch', { watchlists: { add, tokens } })).reply).toContain('You watch no token.');
});

test('replies to a failure in one sentence, without its details', async () => {
  const { reply, log } = await ask('/new');
  expect(reply).toBe('Something went wrong on our side. Please try again.');
  expect(log).toContain('Telegram command failed');
});

test('cuts a reply that Telegram would refuse, and leaves no half character', async () => {
  const whole = 'a'.repeat(4_095);
  const add = () => Promise.reject(new PublicError('token-not-found', { text: `${whole}😀` }));
  const watchlists = { add, tokens: async () => [] };
  expect((await ask(`/watch ${addressNumber(1)}`, { watchlists })).reply).toBe(whole);
});

test('ends a command that takes too long', async () => {
  const newest = () => new Promise<never>(() => {});
  expect((await ask('/new', { queries: { newest }, timeout: 5 })).reply).toBe('This took too long. Please try again.');
});

test('a message marks a chat that had blocked the bot as back', async () => {
  expect((await ask('/help', { gone: true })).done).toEqual(['back 7']);
  expect((await ask('/help')).done).toEqual([]);
});

test('a used code names the linked account, since the earlier reply may have been lost', async () => {
  const links = { redeem: async () => ({ refused: 'unknown-code' as const }), unlink: unused };
  const { reply } = await ask('/start SOMECODE', { links });
  expect(reply).toContain('not known, or has expired');
  expect(reply).toContain('This chat is linked to ann.');
  expect((await ask('/start SOMECODE', { links, linked: false })).reply).not.toContain('is linked to');
});
