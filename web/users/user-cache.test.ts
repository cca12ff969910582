import { beforeEach, describe, expect, test } from 'vitest';
import { defaultRule, type Rule } from '../../common/rules/model.ts';
import type { WatchEntry } from '../../common/watchlists/model.ts';
import { createQueryClient, type QueryClient } from '../store.ts';
import { applyUserData, refreshUserData, userKeys } from './user-cache.ts';

const at = '2025-06-01T12:00:00.000Z';
const rule = (id: string, name = id): Rule => ({ ...defaultRule, id, name, createdAt: at, updatedAt: at });
const entry = (list: WatchEntry['list'], address: string): WatchEntry => ({ list, address, addedAt: at });
const wallet = { walletAddress: 'So11111111111111111111111111111111111111112', hasKey: true, savedAt: at };

let client: QueryClient;

beforeEach(() => {
  client = createQueryClient();
});

const saved = (item: Rule) => applyUserData(client, 'me', { subject: 'rules', op: 'saved', item });
const names = () => client.getQueryData<Rule[]>(userKeys.rules)?.map(({ name }) => name);
const isStale = (key: string[]) => client.getQueryState(key)?.isInvalidated;

describe('a list', () => {
  test('adds new items at its top, and replaces known ones', () => {
    client.setQueryData(userKeys.rules, [rule('a'), rule('b')]);
    saved(rule('c'));
    saved(rule('b', 'B'));
    expect(names()).toEqual(['c', 'a', 'B']);
  });

  test('loses only the deleted item', () => {
    client.setQueryData(userKeys.rules, [rule('a'), rule('b')]);
    applyUserData(client, 'me', { subject: 'rules', op: 'deleted', item: { id: 'a' } });
    applyUserData(client, 'me', { subject: 'rules', op: 'deleted', item: { id: 'unknown' } });
    expect(names()).toEqual(['b']);
  });

  test('is the same after the same change twice', () => {
    client.setQueryData(userKeys.rules, [rule('a')]);
    saved(rule('b'));
    saved(rule('b'));
    expect(names()).toEqual(['b', 'a']);
  });

  test('keeps changes that arrive while a response from before them is on its way', async () => {
    let respond: (rules: Rule[]) => void = () => {};
    const fetched = client.fetchQuery({
      queryKey: userKeys.rules,
      queryFn: () =>
        new Promise<Rule[]>((resolve) => {
          respond = resolve;
        }),
    });
    saved(rule('a'));
    saved(rule('a', 'A'));
    applyUserData(client, 'me', { subject: 'rules', op: 'deleted', item: { id: 'b' } });
    respond([rule('b'), rule('c')]);
    await fetched;
    await expect.poll(names).toEqual(['A', 'c']);
  });

  test('stays unknown if it was never fetched', () => {
    saved(rule('a'));
    applyUserData(client, 'me', { subject: 'strategies', op: 'deleted', item: { id: 'a' } });
    expect(names()).toBeUndefined();
    expect(client.getQueryData(userKeys.strategies)).toBeUndefined();
  });
});

test('identifies an entry by list and address, and refetches the tokens of its list', () => {
  client.setQueryData(userKeys.watchlists, [entry('watch', 'one')]);
  for (const list of ['watch', 'black'] as const) client.setQueryData(userKeys.tokensOf(list), []);
  applyUserData(client, 'me', { subject: 'watchlists', op: 'saved', item: entry('black', 'one') });
  expect(client.getQueryData(userKeys.watchlists)).toEqual([entry('black', 'one'), entry('watch', 'one')]);
  expect(isStale(userKeys.tokensOf('black'))).toBe(true);
  expect(isStale(userKeys.tokensOf('watch'))).toBe(false);
  applyUserData(client, 'me', { subject: 'watchlists', op: 'deleted', item: { list: 'watch', address: 'one' } });
  expect(client.getQueryData(userKeys.watchlists)).toEqual([entry('black', 'one')]);
});

test('applies a wallet to the settings as well, and to no other user', () => {
  const settings = { wallet: { walletAddress: null, hasKey: false, savedAt: null }, telegramUsername: 'me' };
  client.setQueryData(userKeys.settings, settings);
  client.setQueryData(userKeys.wallet('other'), settings.wallet);
  client.setQueryData(userKeys.previousWallets('me'), []);
  applyUserData(client, 'me', { subject: 'wallet', op: 'saved', item: wallet });
  expect(client.getQueryData(userKeys.wallet('me'))).toEqual(wallet);
  expect(client.getQueryData(userKeys.settings)).toEqual({ ...settings, wallet });
  expect(client.getQueryData(userKeys.wallet('other'))).toEqual(settings.wallet);
  expect(isStale(userKeys.previousWallets('me'))).toBe(true);
});

test('refetches all data of the user after missed events, and none of the market', () => {
  const keys = [userKeys.rules, userKeys.watchlists, userKeys.tokensOf('white'), userKeys.transactions('me')];
  for (const key of [...keys, ['/api/config'], userKeys.wallet('other')]) client.setQueryData(key, []);
  refreshUserData(client, 'me');
  for (const key of keys) expect(isStale(key)).toBe(true);
  expect(isStale(['/api/config'])).toBe(false);
  expect(isStale(userKeys.wallet('other'))).toBe(false);
});
