import { expect, test } from 'vitest';
import { fakeClock } from '../market/testing/market.ts';
import { detectedToken } from './testing/tokens.ts';
import { createAlertText } from './text.ts';

const clock = fakeClock();
const token = detectedToken(1, clock.now(), { name: 'Coin', symbol: 'C', price: 2 });

/** The text of a new-token alert with this default template; null: none. */
function textWith(template: string | null) {
  const found = template === null ? null : { id: 'a'.repeat(24), name: 'Mine', template };
  return createAlertText({ templates: { defaultOf: async () => found }, clock })('new_token', token);
}

test('fills in the default template and cuts it to the length that Telegram accepts', async () => {
  expect(await textWith('{token.name} {token.nothing}')).toEqual({ text: 'Coin {token.nothing}', template: 'Mine' });
  const long = `{token.name}${'x'.repeat(1_988)}`;
  expect((await textWith(long.repeat(3))).text.length).toBe(4_096);
});

test.each([
  ['no template', null, 'new_token'],
  ['a template that shows nothing', '\u200b \u2060', 'Mine'],
])('uses a plain text for %s', async (_, text, template) => {
  expect(await textWith(text)).toEqual({ text: `New token: Coin (C), ${token.address}`, template });
});
