import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { alertCalls } from '../../../common/alerts/http.ts';
import type { Alert } from '../../../common/alerts/model.ts';
import { useAlerts } from '../../alerts/use-alerts.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { settle } from '../../testing/settle.ts';
import { linkAtom } from '../atoms/atoms.ts';
import { liveOf } from '../live.ts';

const server = fakeServerPerTest();
afterEach(() => void vi.useRealTimers());

const alert = (number: number): Alert => ({
  id: String(number),
  type: 'new_token',
  address: 'So11111111111111111111111111111111111111112',
  ref: null,
  name: null,
  symbol: null,
  figures: null,
  cause: null,
  text: `text ${number}`,
  at: '2026-01-02T03:04:05.000Z',
});

function Texts() {
  const { data } = useAlerts();
  return <p data-testid="texts">{data?.map(({ text }) => text).join()}</p>;
}
const texts = () => screen.getByTestId('texts').textContent;

test('applies an event that arrives during a fetch to its response', async () => {
  let respond = (_response: Response): void => undefined;
  server.reply(alertCalls.list, () => new Promise((resolve) => (respond = resolve)));
  const { store } = renderWithApp(<Texts />);
  await waitFor(() => expect(server.count(alertCalls.list)).toBe(1));
  act(() => liveOf(store).receive({ event: 'alert', payload: alert(2) }));
  act(() => respond(json([alert(1)])));
  await waitFor(() => expect(texts()).toBe('text 2,text 1'));
});

test('fetches again after lost events', async () => {
  server.answer(alertCalls.list, [alert(1)]);
  const { store } = renderWithApp(<Texts />);
  await waitFor(() => expect(texts()).toBe('text 1'));
  server.answer(alertCalls.list, [alert(3), alert(1)]);
  act(() => liveOf(store).resynced());
  await waitFor(() => expect(texts()).toBe('text 3,text 1'));
});

test('leaves a fetch in progress when the round trip is measured', async () => {
  let respond = (_response: Response): void => undefined;
  server.reply(alertCalls.list, () => new Promise((resolve) => (respond = resolve)));
  const { store } = renderWithApp(<Texts />);
  await waitFor(() => expect(server.count(alertCalls.list)).toBe(1));
  act(() => store.set(linkAtom, (before) => ({ ...before, roundTrip: 12 })));
  act(() => respond(json([alert(1)])));
  await waitFor(() => expect(texts()).toBe('text 1'));
  expect(server.count(alertCalls.list)).toBe(1);
});

test('fetches again 10 s after a failure while the feed is live', async () => {
  // Animation frames are left alone: two minutes have thousands of them.
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...toFake] });
  const pass = (ms: number) => settle(() => vi.advanceTimersByTimeAsync(ms));
  server.fail(alertCalls.list, 'unavailable');
  const { store } = renderWithApp(<Texts />);
  act(() => store.set(linkAtom, { phase: 'live', since: 0, roundTrip: null }));
  await pass(1_000);
  const before = server.count(alertCalls.list);
  await pass(8_000);
  expect(server.count(alertCalls.list)).toBe(before);
  server.answer(alertCalls.list, [alert(1)]);
  await pass(2_000);
  expect(texts()).toBe('text 1');
  await pass(120_000);
  expect(server.count(alertCalls.list)).toBe(before + 1);
});
