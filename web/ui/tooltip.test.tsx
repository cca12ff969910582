import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passTime } from '../testing/settle.ts';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(): HTMLElement {
  render(
    <TooltipProvider>
      <Tooltip content="Says more">
        <button type="button">Thing</button>
      </Tooltip>
    </TooltipProvider>,
  );
  return screen.getByRole('button', { name: 'Thing' });
}

test('shows after 700 ms of hovering [S9-08]', () => {
  fireEvent.pointerMove(open());
  passTime(699);
  expect(screen.queryByRole('tooltip')).toBeNull();
  passTime(1);
  expect(screen.getByRole('tooltip')).toHaveTextContent('Says more');
});

test('shows at once on keyboard focus', () => {
  const thing = open();
  act(() => thing.focus());
  expect(screen.getByRole('tooltip')).toHaveTextContent('Says more');
});
