import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sourceCalls } from '../../common/sources/http.ts';
import type { ApiTest } from '../../common/sources/model.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { findToast, holdResponse, sent } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { PriceApiCard } from './price-api-card.tsx';
import { systemStatus } from './testing/fixtures.ts';

const server = fakeServerPerTest();

const found: ApiTest = {
  success: true,
  message: 'The API responds. 9,412 credits are left.',
  apiUrl: 'https://data.example',
  timestamp: new Date().toISOString(),
  creditsUsed: 9_412,
  troubleshooting: [],
};

function open(): Rendered {
  return renderWithApp(<PriceApiCard status={systemStatus()} />, { session: sessionUser({ isAdmin: true }) });
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const field = () => screen.getByLabelText<HTMLInputElement>('New API key');
const fact = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;

test('a connection test shows message, address, time and credits [S2.13-16, S3-59]', async () => {
  open();
  expect(fact('API key')).toBe('set');
  server.answer(sourceCalls.testSolanaTracker, found);
  await press('Test Connection');
  expect(await screen.findByText(found.message)).toBeVisible();
  expect([fact('Address'), fact('Credits left')]).toEqual(['https://data.example', '9,412']);
  expect(fact('Tested')).toMatch(/^\d+s ago$/);
  expect(screen.queryByText('Troubleshooting')).toBeNull();
});

test('a failed connection test shows an error and troubleshooting steps in order [S8.7-07, S3-59]', async () => {
  open();
  const troubleshooting = ['Check that the key was copied completely.', 'Try again in a minute.'];
  const message = 'The service refused the key.';
  server.answer(sourceCalls.testSolanaTracker, {
    ...found,
    success: false,
    message,
    creditsUsed: null,
    troubleshooting,
  });
  await press('Test Connection');
  const toast = await findToast('SolanaTracker API Test Failed');
  expect(toast).toHaveTextContent(message);
  expect(toast).toHaveAttribute('data-variant', 'destructive');
  expect(screen.getByText('Not connected')).toBeVisible();
  expect(
    within(screen.getByRole('list', { name: 'Troubleshooting' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(troubleshooting);
  expect(fact('Credits left')).toBe('–');
});

test('a connection test that the server could not run shows an error and clears the old result [S8.7-07]', async () => {
  open();
  server.answer(sourceCalls.testSolanaTracker, found);
  await press('Test Connection');
  await screen.findByText(found.message);
  server.fail(sourceCalls.testSolanaTracker, 'internal');
  await press('Test Connection');
  expect(await findToast('SolanaTracker API Test Failed')).toHaveTextContent('Something went wrong on our side.');
  expect(screen.queryByText(found.message)).toBeNull();
});

test('does not send an empty key [S5-29]', async () => {
  open();
  await press('Update Key');
  expect(await findToast('API Key Required')).toHaveTextContent('Please enter a valid API key');
  expect(field()).toHaveAccessibleDescription('Please enter a valid API key');
  await userEvent.type(field(), '   ');
  await press('Update Key');
  expect(server.count(sourceCalls.updateSolanaTrackerKey)).toBe(0);
});

test('trims a key, sends it once and stores it nowhere [S5-29, S2.13-16, S8.7-14]', async () => {
  const { store, container } = open();
  expect(field()).toHaveAttribute('type', 'password');
  const respond = holdResponse(server, sourceCalls.updateSolanaTrackerKey);
  await userEvent.type(field(), '  secret-key-1  ');
  await press('Update Key');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Update Key' })).toBeDisabled());
  act(() => respond(json({ success: true, message: 'The key is stored.', apiStatus: 'The API responds.' })));
  expect(await findToast('API Key Updated')).toHaveTextContent('The key is stored.');
  expect(screen.getByText('Response of the service: The API responds.')).toBeVisible();
  expect(field()).toHaveValue('');
  expect(sent(server, 'POST', sourceCalls.updateSolanaTrackerKey.path)).toEqual([{ apiKey: 'secret-key-1' }]);
  const cached = store.get(queryClientAtom).getQueryCache().getAll();
  const mutations = store.get(queryClientAtom).getMutationCache().getAll();
  const stored = [
    container.innerHTML,
    { ...localStorage },
    { ...sessionStorage },
    cached.map(({ state }) => state),
    mutations.map(({ state }) => state),
  ];
  expect(JSON.stringify(stored)).not.toContain('secret-key-1');
});

test('a key that could not be stored stays in the field [S8.7-07]', async () => {
  open();
  server.fail(sourceCalls.updateSolanaTrackerKey, 'unavailable');
  await userEvent.type(field(), 'secret-key-1');
  await press('Update Key');
  expect(await findToast('API Key Update Failed')).toHaveTextContent('The database is not reachable right now.');
  expect(field()).toHaveValue('secret-key-1');
  const message = 'It was not stored.';
  server.answer(sourceCalls.updateSolanaTrackerKey, { success: false, message, apiStatus: '' });
  await press('Update Key');
  await waitFor(async () => expect(await findToast('API Key Update Failed')).toHaveTextContent(message));
  expect(field()).toHaveValue('secret-key-1');
});
