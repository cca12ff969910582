import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Link } from 'wouter';
import { renderWithApp } from '../../testing/render.tsx';
import { RowSwipe } from './row-swipe.tsx';

beforeEach(() => void vi.stubGlobal('matchMedia', () => ({ matches: true })));
afterEach(() => void vi.unstubAllGlobals());

function List() {
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list}>
      <div data-swipe="" data-address="a">
        <Link href="/app/tokens/a">Coin</Link>
      </div>
      <RowSwipe list={list} isLanded={() => false} />
    </div>
  );
}

/** Moves a finger over the link, too little for the swipe to act. */
function swipe(link: HTMLElement): void {
  const finger = { pointerType: 'touch', isPrimary: true, pointerId: 1, clientY: 10 };
  fireEvent.pointerDown(link, { ...finger, clientX: 10 });
  fireEvent.pointerMove(link, { ...finger, clientX: 60 });
  fireEvent.pointerUp(link, { ...finger, clientX: 60 });
}

test('the click at the end of a swipe opens nothing', () => {
  const { path } = renderWithApp(<List />, { path: '/app/tokens' });
  swipe(screen.getByRole('link'));
  fireEvent.click(screen.getByRole('link'), { detail: 1 });
  expect(path()).toBe('/app/tokens');
});

test('after a swipe that ended without a click, Enter opens the row', async () => {
  const { path } = renderWithApp(<List />, { path: '/app/tokens' });
  swipe(screen.getByRole('link'));
  screen.getByRole('link').focus();
  await userEvent.keyboard('{Enter}');
  expect(path()).toBe('/app/tokens/a');
});
