import { expect, test } from 'vitest';
import type { Template } from '../../common/templates/model.ts';
import { fakeClock } from '../market/testing/market.ts';
import { feedToken } from './testing/tokens.ts';
import { createAlertText } from './text.ts';

const clock = fakeClock();
const token = feedToken(1, clock.now(), { name: 'Coin', symbol: 'C', price: 2 });
const id = 'a'.repeat(24);
const template = (text: string): Template => ({
  id,
  name: 'Mine',
  type: 'new_token',
  template: text,
  isDefault: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});
const textBy = (defaultOf: () => Promise<Template | null>) => createAlertText({ templates: { defaultOf }, clock });

test('the default template is filled in, and never longer than Telegram takes', async () => {
  const long = `{token.name}${'x'.repeat(1_988)}`;
  expect(await textBy(async () => template('{token.name} {token.nothing}'))('new_token', token)).toEqual({
    text: 'Coin {token.nothing}',
    template: 'Mine',
  });
  const { text } = await textBy(async () => template(long.repeat(3)))('new_token', token);
  expect(text.length).toBe(4_096);
});

test('without a template, or with one that shows nothing, the alert goes out with a text of its own', async () => {
  const plain = { text: `New token: Coin (C), ${token.address}`, template: 'new_token' };
  expect(await textBy(async () => null)('new_token', token)).toEqual(plain);
  expect(await textBy(async () => template('\u200b \u2060'))('new_token', token)).toEqual({
    ...plain,
    template: 'Mine',
  });
});
