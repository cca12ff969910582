import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderRouted } from '../testing/render.tsx';
import { settle } from '../testing/settle.ts';
import { useMutation } from './use-mutation.ts';

afterEach(() => vi.useRealTimers());

function Save({ change }: { change: () => Promise<void> }) {
  const { run } = useMutation(change);
  return (
    <button type="button" onClick={() => void run()}>
      Save
    </button>
  );
}

test('a change that is under way when its page closes keeps no timer spinning', async () => {
  vi.useFakeTimers();
  const never = vi.fn(() => new Promise<void>(() => {}));
  const { unmount } = renderRouted(<Save change={never} />);
  await settle(async () => screen.getByRole('button', { name: 'Save' }).click());
  expect(never).toHaveBeenCalledOnce();
  unmount();
  const end = Date.now() + 10_000;
  let fired = 0;
  while (fired < 1_000 && vi.getTimerCount() > 0 && Date.now() < end) {
    vi.advanceTimersToNextTimer();
    fired += 1;
  }
  expect(fired).toBeLessThan(50);
});
