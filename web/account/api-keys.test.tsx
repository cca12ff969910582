import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { apiKeyCalls } from '../../common/api-keys/http.ts';
import { API_KEYS_MAX, type ApiKey } from '../../common/api-keys/model.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { ApiKeyList } from './api-keys.tsx';

const server = fakeServerPerTest();

const key: ApiKey = {
  id: '0123456789abcdef01234567',
  name: 'Notebook',
  scope: 'trade',
  hint: 'mw_abcdef',
  limits: { perTradeLamports: 100_000_000, perDayLamports: 2_000_000_000, tradesLive: true },
  createdAt: new Date().toISOString(),
  lastUsedAt: null,
};
const secret = `mw_${'s'.repeat(43)}`;

function open(keys: ApiKey[]) {
  server.answer(apiKeyCalls.list, keys);
  renderWithApp(<ApiKeyList />, { path: '/app/settings', session: sessionUser() });
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const sent = () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

test('names what each key may do, and ends one', async () => {
  server.answer(apiKeyCalls.end, { ok: true });
  open([key]);
  const item = await screen.findByRole('listitem');
  expect(item).toHaveTextContent('Notebook mw_abcdef…');
  expect(item).toHaveTextContent('Trades up to 0.1 SOL a purchase and 2 SOL a day, also with real money · never used');
  await press('End the API key Notebook');
  expect(server.requests.some(({ method, path }) => method === 'DELETE' && path.endsWith(key.id))).toBe(true);
});

test('creates a key that reads by default, and shows its secret once', async () => {
  server.answer(apiKeyCalls.create, { key, secret });
  open([]);
  await press('New API key');
  await press('Create key');
  expect(await screen.findByText('is missing')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Name'), 'Reader');
  await press('Create key');
  expect(await screen.findByText(secret)).toBeVisible();
  expect(sent()).toEqual([{ name: 'Reader', scope: 'read' }]);
  await press('I have saved it');
  expect(screen.queryByText(secret)).toBeNull();
});

test('a key for real money needs the typed word', async () => {
  server.answer(apiKeyCalls.create, { key, secret });
  open([]);
  await press('New API key');
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Name'), 'Trader');
  await userEvent.click(dialog.getByLabelText('May'));
  await userEvent.click(await screen.findByRole('option', { name: 'Read and trade' }));
  await userEvent.click(dialog.getByRole('switch', { name: 'Real money' }));
  await press('Create key');
  expect(await screen.findByText('Type LIVE to continue.')).toBeVisible();
  await userEvent.type(dialog.getByLabelText('Type LIVE to confirm'), 'LIVE');
  await press('Create key');
  expect(await screen.findByText(secret)).toBeVisible();
  const limits = { perTradeLamports: 100_000_000, perDayLamports: 1_000_000_000, tradesLive: true };
  expect(sent()).toEqual([{ name: 'Trader', scope: 'trade', limits, confirm: 'LIVE' }]);
});

test('with the most keys a user may have, none can be created', async () => {
  open(Array.from({ length: API_KEYS_MAX }, (_, index) => ({ ...key, id: String(index).padStart(24, '0') })));
  expect(await screen.findByRole('button', { name: 'New API key' })).toBeDisabled();
});
