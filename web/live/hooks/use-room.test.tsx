import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertCalls } from '../../../common/alerts/http.ts';
import type { Alert } from '../../../common/alerts/model.ts';
import { useAlerts } from '../../alerts/use-alerts.ts';
import { type FakeServer, fakeServer, json } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { liveOf } from '../live.ts';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

const alert = (number: number): Alert => ({
  id: String(number),
  type: 'new_token',
  address: 'So11111111111111111111111111111111111111112',
  ref: null,
  name: null,
  symbol: null,
  figures: null,
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
