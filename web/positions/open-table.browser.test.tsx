import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { noExits } from '../../common/trading/account.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { type FakeServer, fakeServer } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { useTradingEvents } from '../trading/state/use-trading-events.ts';
import { AT, account, position } from '../trading/testing/fixtures.ts';
import { OpenTable } from './open-table.tsx';

let server: FakeServer;

afterEach(async () => {
  server.close();
  await page.viewport(1280, 800);
});

// Of the page beside the menu, in windows of 360 to 1,920 px.
test.each([336, 736, 900, 1026, 1154, 1192, 1290, 1672])('fits open positions into %i px', async (width) => {
  server = fakeServer();
  server.answer(tradingCalls.account, account());
  server.answer(walletCalls.get, { walletAddress: position(1).wallet, hasKey: true, savedAt: AT });
  server.answer(tradingCalls.positions, []);
  await page.viewport(width, 800);
  const origin = { kind: 'strategy' as const, id: position(1).id, name: 'Rising and held by many others' };
  const exits = { ...noExits, stopLossPercent: 10, takeProfitPercent: 20 };
  const token = { ...position(1).token, symbol: 'A LONG SYMBOL OF A COIN' };
  // Small figures have more digits.
  const { value } = position(1);
  const small = value && { ...value, lamports: 99_502_500, profitLamports: -602_500 };
  const named = position(1, { origin, exits, token, value: small });
  function Page() {
    useTradingEvents();
    return <OpenTable positions={[named]} />;
  }
  renderWithApp(<Page />);
  await screen.findByRole('button', { name: /^Sell 50 %/ });
  const table = await screen.findByRole('table', { name: 'Open positions' });
  // A column where there is room, and a line of each position on phones.
  expect(screen.getByText('Price now').checkVisibility()).toBe(width >= 1_152 || width < 896);
  expect(table.getBoundingClientRect().right).toBeLessThanOrEqual(width);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
