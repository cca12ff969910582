import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { alertCalls } from '../../../common/alerts/http.ts';
import { alertRuleCalls } from '../../../common/alerts/rules/http.ts';
import {
  ALERT_RULES_MAX,
  type AlertRule,
  defaultChannels,
  type PresetAlert,
} from '../../../common/alerts/rules/model.ts';
import { presetCalls } from '../../../common/presets/http.ts';
import { telegramCalls } from '../../../common/telegram/http.ts';
import { webhookCalls } from '../../../common/webhook/http.ts';
import type { Webhook } from '../../../common/webhook/model.ts';
import { clockAtom } from '../../live/atoms/clock.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { AlertSetup } from './alert-setup.tsx';

const rest = fakeServerPerTest();
const user = userEvent.setup();

const rule = (number: number, fields: Partial<PresetAlert> = {}): PresetAlert => ({
  ...{ id: String(number).padStart(24, '0'), kind: 'preset', preset: 'Fresh & clean', name: `Preset ${number}` },
  ...{ channels: defaultChannels, createdAt: '2026-01-01T00:00:00.000Z', perHour: 6, mutedUntil: null, problem: null },
  ...{ received: 0, heldBack: 0, dropped: 0, ...fields },
});
const target: AlertRule = {
  ...{ id: 'b'.repeat(24), kind: 'target', address: 'So11111111111111111111111111111111111111112', symbol: 'PEPEX' },
  ...{ target: { unit: 'market-cap', value: 50_000 }, direction: 'up', channels: defaultChannels },
  createdAt: '2026-01-01T00:00:00.000Z',
};

async function open(rules: readonly AlertRule[], webhook: Webhook | null = null, heldBack = 0) {
  rest.answer(alertCalls.hour, {
    ...{ since: '2026-01-01T12:00:00.000Z', limit: 6, received: 0, heldBack: 0, presets: [] },
    allPresets: { limit: 120, heldBack },
  });
  rest.answer(alertRuleCalls.list, [...rules]);
  rest.answer(presetCalls.list, []);
  rest.answer(telegramCalls.link, { linked: null });
  rest.answer(webhookCalls.get, webhook);
  const { store } = renderWithApp(<AlertSetup />);
  await screen.findByRole('button', { name: webhook === null ? 'Add a webhook' : 'Replace' });
  return store;
}
/** Long after the clock of the machine. */
const MUTED_UNTIL = '2099-01-01T12:04:00.000Z';
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const lastBody = (method: string) => rest.requests.findLast((one) => one.method === method)?.body;

test('lists alerts with their channels, and names left-out matches, mutes and problems', async () => {
  const problem = 'This preset was deleted. Choose another one.';
  await open([
    rule(1, { heldBack: 14, dropped: 3, channels: { sound: 'bell', desktop: true, telegram: true, webhook: true } }),
    rule(2, { mutedUntil: MUTED_UNTIL }),
    rule(3, { problem }),
    target,
  ]);
  const items = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(items).toEqual([
    'Preset 1Bell, sound: Bell, desktop, Telegram, webhook · at most 6/h14 more matched this hour; limit 63 dropped this hour: too many at once',
    expect.stringMatching(/^Preset 2Bell, sound: Tick · at most 6\/hMuted until 12:04.* UTC$/),
    `Preset 3Bell, sound: Tick · at most 6/h${problem}`,
    'PEPEX at MC $50KBell, sound: Tick',
  ]);
});

test('matches beyond the limit over all presets count for no single alert', async () => {
  await open([rule(1, { received: 4, perHour: 60 })], null, 14);
  expect(await screen.findByText('14 more matched this hour; limit 120 for all presets together')).toBeVisible();
  expect(screen.getByRole('listitem')).toHaveTextContent(/at most 60\/h$/);
});

test('a mute ends at its time without another request', async () => {
  const store = await open([rule(1, { mutedUntil: MUTED_UNTIL })]);
  expect(await screen.findByText(/^Muted until 12:04/)).toBeVisible();
  act(() => store.set(clockAtom, Date.parse(MUTED_UNTIL)));
  expect(screen.queryByText(/^Muted until/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Mute Preset 1 for 1 h' })).toBeVisible();
  expect(rest.count(alertRuleCalls.list)).toBe(1);
});

test('creates, changes, unmutes and deletes an alert', async () => {
  await open([rule(1, { mutedUntil: MUTED_UNTIL })]);
  rest.answer(alertRuleCalls.createForPreset, rule(2));
  rest.answer(alertRuleCalls.change, rule(1));
  rest.answer(alertRuleCalls.remove, { ok: true });
  await press('New alert');
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('switch', { name: 'Telegram' }));
  await press('Create Alert');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const channels = { ...defaultChannels, telegram: true };
  expect(lastBody('POST')).toEqual({ preset: 'Fresh & clean', perHour: 6, channels });
  await press('Change Preset 1');
  await press('Save Alert');
  await waitFor(() => expect(lastBody('PATCH')).toEqual({ perHour: 6, channels: defaultChannels }));
  await press('Unmute Preset 1');
  await waitFor(() => expect(lastBody('PATCH')).toEqual({ muted: false }));
  await press('Delete Preset 1');
  await waitFor(() => expect(rest.count(alertRuleCalls.remove)).toBe(1));
});

test('with 50 alerts none can be added, and the limit is explained', async () => {
  await open(Array.from({ length: ALERT_RULES_MAX }, (_, number) => rule(number)));
  await waitFor(() => expect(screen.getByRole('button', { name: 'New alert' })).toBeDisabled());
  expect(screen.getByText('You have reached the limit of 50 alerts. Delete one to add another.')).toBeVisible();
});

describe('desktop notifications', () => {
  const requestPermission = vi.fn(async () => 'denied');
  beforeEach(() => requestPermission.mockClear());
  afterEach(() => void vi.unstubAllGlobals());

  test('are asked for only on a click, and the page says when they are denied', async () => {
    const FakeNotification = vi.fn(class {});
    vi.stubGlobal('Notification', Object.assign(FakeNotification, { permission: 'default', requestPermission }));
    await open([]);
    expect(requestPermission).not.toHaveBeenCalled();
    await press('Allow desktop notifications');
    expect(await screen.findByText(/Your browser blocks desktop notifications/)).toBeVisible();
  });

  // As Chrome on Android does.
  test('are not asked for in a browser that refuses those of a page', async () => {
    const refuse = () => {
      throw new TypeError('Illegal constructor');
    };
    vi.stubGlobal('Notification', Object.assign(vi.fn(refuse), { permission: 'default', requestPermission }));
    await open([]);
    await press('Allow desktop notifications');
    expect(await screen.findByText('This browser shows no desktop notifications here.')).toBeVisible();
    expect(requestPermission).not.toHaveBeenCalled();
  });
});

test('shows the secret of a webhook once, a refused address, and the result of a test', async () => {
  const webhook = { host: 'hooks.example', createdAt: '2026-01-01T00:00:00.000Z', last: null };
  await open([]);
  rest.answer(webhookCalls.save, { webhook, secret: 'whsec_secret' });
  await press('Add a webhook');
  await user.type(screen.getByRole('textbox', { name: 'Address' }), 'hooks.example{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The address is not an address that begins with https:// or http://.',
  );
  await user.clear(screen.getByRole('textbox', { name: 'Address' }));
  await user.type(screen.getByRole('textbox', { name: 'Address' }), 'https://hooks.example/x{Enter}');
  expect(await screen.findByText('whsec_secret')).toBeVisible();
  await press('I have saved it');
  expect(screen.queryByText('whsec_secret')).toBeNull();
  const problem = 'The service answered 503.';
  rest.answer(webhookCalls.test, { ...webhook, last: { at: '2026-01-01T00:00:00.000Z', problem } });
  await press('Send a test');
  expect(await screen.findByText(/The service answered 503\./)).toBeVisible();
});
