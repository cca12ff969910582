import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { address } from '../../live/testing/build.ts';
import {
  added,
  aged,
  answer,
  listServer,
  names,
  receive,
  search,
  settled,
  shown,
  table,
} from '../testing/list-page.tsx';

const rest = listServer();

test('an update repaints only the row of its token', async () => {
  const painted: string[] = [];
  answer(rest, [aged(1), aged(2), aged(3), aged(4)]);
  const rendered = await shown((one) => void painted.push(one));
  await settled(painted);
  receive(rendered, {
    event: 'token-updates',
    payload: {
      seq: 6,
      at: Date.now(),
      solUsd: null,
      patches: [{ number: 3, version: 2, price: 0.5, volume: 12_345 }],
    },
  });
  expect(new Set(painted)).toEqual(new Set([address(2)]));
  expect(table().getByText('$12.3K')).toBeVisible();
});

test('a change tints only its figure', async () => {
  answer(rest, [aged(1), aged(2)]);
  const rendered = await shown();
  expect(document.querySelectorAll('.animate-tint')).toHaveLength(0);
  receive(rendered, {
    event: 'token-updates',
    payload: {
      seq: 6,
      at: Date.now(),
      solUsd: null,
      patches: [{ number: 3, version: 2, holderCount: 99 }],
    },
  });
  const tinted = [...document.querySelectorAll('.animate-tint')];
  expect(tinted.map((one) => one.textContent)).toEqual(['99']);
});

describe('holding still', () => {
  test('hovering holds the rows and counts waiting tokens', async () => {
    answer(rest, [aged(1), aged(2)]);
    const user = userEvent.setup();
    const rendered = await shown();
    await user.hover(table().getByText('Token 2'));
    receive(rendered, added(6, aged(0)));
    receive(rendered, added(7, aged(50, {}, 0.5)));
    expect(names()).toEqual(['Token 1', 'Token 2']);
    await waitFor(() => expect(screen.getByText('2 new')).toBeVisible());
    await user.hover(search());
    await waitFor(() => expect(names()).toHaveLength(4));
    expect(screen.queryByText('2 new')).toBeNull();
  });

  test('Space holds and releases the rows; figures stay live', async () => {
    answer(rest, [aged(1), aged(2)]);
    const user = userEvent.setup();
    const rendered = await shown();
    await user.keyboard(' ');
    expect(screen.getByRole('button', { name: 'Pause the list' })).toHaveAttribute('aria-pressed', 'true');
    receive(rendered, added(6, aged(0)));
    receive(rendered, {
      event: 'token-updates',
      payload: {
        seq: 7,
        at: Date.now(),
        solUsd: null,
        patches: [{ number: 2, version: 2, holderCount: 77 }],
      },
    });
    expect(names()).toEqual(['Token 1', 'Token 2']);
    expect(table().getByText('77')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '1 new' }));
    expect(names()).toHaveLength(3);
  });
});
