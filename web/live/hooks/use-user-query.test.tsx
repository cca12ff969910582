import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { presetCalls } from '../../../common/presets/http.ts';
import { createAppStore, type Store } from '../../store.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { usePresets } from '../../tokens/presets/use-presets.ts';
import { linkAtom, pollAtom } from '../atoms/atoms.ts';

const server = fakeServerPerTest();

function Presets() {
  const { data } = usePresets();
  return <p>{data === undefined ? 'unknown' : `${data.length} presets`}</p>;
}

/** Renders a query while the feed connects for the first time. */
function open(): Store {
  server.answer(presetCalls.list, []);
  const store = createAppStore();
  store.set(linkAtom, { phase: 'connecting', since: 1, roundTrip: null });
  renderWithApp(<Presets />, { store });
  expect(screen.getByText('unknown')).toBeVisible();
  expect(server.count(presetCalls.list)).toBe(0);
  return store;
}

test.each([
  ['the rooms are joined', (store: Store) => store.set(linkAtom, { phase: 'live', since: 2, roundTrip: null })],
  ['the first attempt has failed', (store: Store) => store.set(linkAtom, { phase: 'down', since: 1, roundTrip: null })],
  ['polling begins', (store: Store) => store.set(pollAtom, { active: true, respondedAt: null, failedAt: null })],
])('fetches once, after %s', async (_, happen) => {
  const store = open();
  act(() => happen(store));
  await waitFor(() => expect(screen.getByText('0 presets')).toBeVisible());
  expect(server.count(presetCalls.list)).toBe(1);
});
