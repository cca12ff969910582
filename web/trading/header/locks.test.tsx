import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../common/time.ts';
import { defaultLimits, type TradingAccount } from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { LockView } from '../../../common/trading/limits/protections.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { liveOf } from '../../live/live.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { findToast, sent } from '../../testing/page.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { namedLocks } from '../locks.ts';
import { useTradingEvents } from '../state/use-trading-events.ts';
import { AT, account } from '../testing/fixtures.ts';
import { LocksBanner } from './locks-banner.tsx';

const server = fakeServerPerTest();

function Page() {
  useTradingEvents();
  return <LocksBanner />;
}

function open(fields: Partial<TradingAccount> = {}) {
  server.answer(tradingCalls.account, account(fields));
  return renderWithApp(<Page />);
}

const guardLock = (until: number): LockView => ({
  kind: 'stop-loss-guard',
  until: new Date(until).toISOString(),
  reason: reason('stop-loss-guard', { untilAt: until, stopLosses: 5, minutes: 30 }),
});
const full: LockView = {
  kind: 'open-positions',
  until: null,
  reason: reason('open-positions', { open: 10, limit: 10 }),
};

test('names a lock and its end above the page, and lifts that of the guard after a question [T-27]', async () => {
  const until = Date.now() + 10 * MINUTE;
  server.answer(tradingCalls.liftGuard, account({ version: 2 }));
  open({ locks: [guardLock(until)] });
  const time = new Date(until).toISOString().slice(11, 16);
  expect(
    await screen.findByText(
      `Automatic buying is locked until ${time} UTC by the stop-loss guard: 5 stop losses in 30 minutes. You can still buy by hand.`,
    ),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Lift lock' }));
  expect(sent(server, 'POST', '/api/trading/account/lift-guard')).toEqual([]);
  const question = within(await screen.findByRole('alertdialog'));
  await userEvent.click(question.getByRole('button', { name: 'Lift lock' }));
  await findToast('Lock Lifted');
  expect(sent(server, 'POST', '/api/trading/account/lift-guard')).toHaveLength(1);
  expect(screen.queryByRole('note')).toBeNull();
});

test('names several locks at once, and follows the events of the account [T-27]', async () => {
  const { store } = open();
  await waitFor(() => expect(server.requests.length).toBeGreaterThan(0));
  expect(screen.queryByRole('note')).toBeNull();
  const locks = [full, guardLock(Date.now() + MINUTE)];
  act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ locks, version: 2 }) }));
  const banner = await screen.findByRole('note');
  expect(banner).toHaveTextContent(
    'You have open positions in 10 tokens; your limit is 10. No other token is bought until one is',
  );
  expect(banner).toHaveTextContent('Automatic buying is locked until');
  act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ locks: [full], version: 3 }) }));
  await waitFor(() => expect(banner).not.toHaveTextContent('Automatic buying is locked until'));
  expect(screen.queryByRole('button', { name: 'Lift lock' })).toBeNull();
});

test('a lock is no longer named once it is over, while trading is stopped, or when it is too short to read', () => {
  const now = Date.parse(AT);
  const lock = guardLock(now + SECOND);
  expect(namedLocks(account({ locks: [lock] }), now)).toEqual([lock]);
  expect(namedLocks(account({ locks: [lock] }), now + SECOND)).toEqual([]);
  expect(namedLocks(account({ locks: [full], stopped: { at: AT, by: 'user', pausesExits: false } }), now)).toEqual([]);
  expect(namedLocks(account({ locks: [full], stoppedAll: true }), now)).toEqual([]);
  expect(namedLocks(account({ locks: [full], mode: null }), now)).toEqual([]);
  const wait: LockView = { ...lock, kind: 'cooldown', reason: reason('cooldown', { seconds: 1 }) };
  const limits = { ...defaultLimits, cooldownMs: MINUTE };
  expect(namedLocks(account({ locks: [wait], limits: { ...limits, cooldownMs: MINUTE - 1 } }), now)).toEqual([]);
  expect(namedLocks(account({ locks: [wait], limits }), now)).toEqual([wait]);
});
