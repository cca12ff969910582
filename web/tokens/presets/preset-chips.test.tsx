import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { presetCalls } from '../../../common/presets/http.ts';
import { type Preset, readyPresets } from '../../../common/presets/model.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { PresetChips } from './preset-chips.tsx';

const rest = fakeServerPerTest();
const user = userEvent.setup();
const own: Preset = {
  id: '0123456789abcdef01234567',
  name: 'Mine',
  choice: { f: 'holders:30-,halo:1-', sort: 'marketCap' },
  createdAt: '2026-01-01T00:00:00.000Z',
};

async function open(choice = {}) {
  rest.answer(presetCalls.list, [own]);
  const onOpen = vi.fn<(choice: unknown) => void>();
  renderWithApp(<PresetChips choice={choice} onOpen={onOpen} />);
  await screen.findByRole('button', { name: 'Mine' });
  return onOpen;
}

test('opens a preset as it was saved, and closes the open one', async () => {
  const [ready] = readyPresets;
  const onOpen = await open(ready?.choice);
  await user.click(screen.getByRole('button', { name: 'Mine' }));
  expect(onOpen).toHaveBeenLastCalledWith(own.choice);
  const pressed = screen.getByRole('button', { pressed: true });
  expect(pressed).toHaveTextContent(ready?.name ?? '');
  await user.click(pressed);
  expect(onOpen).toHaveBeenLastCalledWith({});
});

test('saves the list under a name, and shows a refusal beside it', async () => {
  await open({ filter: 'new' });
  rest.fail(presetCalls.create, 'name-taken');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Mine{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('This name is already taken.');
  rest.answer(presetCalls.create, own);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' too{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(rest.requests.findLast(({ method }) => method === 'POST')?.body).toEqual({
    name: 'Mine too',
    choice: { filter: 'new' },
  });
});

test('a preset with a field that no longer exists can be renamed, without it', async () => {
  await open();
  rest.answer(presetCalls.replace, own);
  await user.click(screen.getByRole('button', { name: 'Change the preset Mine' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const name = screen.getByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, 'Yours{Enter}');
  await waitFor(() =>
    expect(rest.requests.findLast(({ method }) => method === 'PUT')?.body).toEqual({
      name: 'Yours',
      choice: { f: 'holders:30-', sort: 'marketCap' },
    }),
  );
});

test('asks before it deletes one', async () => {
  await open();
  rest.answer(presetCalls.remove, { ok: true });
  await user.click(screen.getByRole('button', { name: 'Change the preset Mine' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(rest.count(presetCalls.remove)).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(rest.count(presetCalls.remove)).toBe(1));
});
