import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DOUBLE_CLICK_MS, watchAxisClicks } from './axis-click.ts';

const AXIS = 60;
const clicked = vi.fn<(value: number) => void>();
let box: HTMLElement;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  clicked.mockClear();
  box = document.body.appendChild(document.createElement('div'));
  vi.spyOn(box, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 800, 300));
  end = watchAxisClicks({ box, axisWidth: () => AXIS, valueAt: (y) => 1_000 - y, onClick: clicked });
});
afterEach(() => {
  end();
  box.remove();
  vi.useRealTimers();
});

/** Presses and releases a pointer. `moved`: px down in between. */
function click({ clientX = 780, clientY = 100, moved = 0, button = 0 } = {}) {
  fireEvent.pointerDown(box, { button, clientX, clientY });
  fireEvent.pointerUp(box, { button, clientX, clientY: clientY + moved });
}

test('a click on the axis has the value at its height', () => {
  click();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(clicked.mock.calls).toEqual([[900]]);
});

test('a double click, which resets the axis, is no click', () => {
  click();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS - 1);
  click();
  vi.advanceTimersByTime(10 * DOUBLE_CLICK_MS);
  expect(clicked).not.toHaveBeenCalled();
});

test('two slow clicks are two', () => {
  click();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  click();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(clicked).toHaveBeenCalledTimes(2);
});

test.each([
  ['beside the axis', { clientX: 700 }],
  ['that drags', { moved: 20 }],
  ['of another button', { button: 2 }],
])('a click %s is none', (_, how) => {
  click(how);
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(clicked).not.toHaveBeenCalled();
});

test('a click whose chart is removed is none', () => {
  click();
  end();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(clicked).not.toHaveBeenCalled();
});
