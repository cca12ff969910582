import { expect, test } from 'vitest';
import { reason } from '../../../common/trading/reasons.ts';
import { refusalError } from './routes.ts';

test.each([
  ['per-trade', { needsLamports: 52_044_280, limitLamports: 50_000_000 }, 'over-limit'],
  ['day-budget', { needsLamports: 2, leftLamports: 1 }, 'day-budget'],
  ['open-positions', { open: 3, limit: 3 }, 'too-many-open'],
  ['stopped', {}, 'trading-stopped'],
  ['balance', { hasLamports: 1, needsLamports: 2 }, 'no-money'],
  ['slippage', { slippageBps: 500 }, 'slippage'],
  ['impact', { impactBps: 13, slippageBps: 10 }, 'impact'],
  ['stale', { sinceAt: 1_000 }, 'stale-market'],
  ['in-pool', {}, 'not-tradable'],
] as const)('a refusal by %s has its own code, its sentence and its figures', (code, numbers, expected) => {
  const { body, status } = {
    body: refusalError(reason(code, numbers)).body(),
    status: refusalError(reason(code)).status,
  };
  const details = Object.fromEntries(Object.entries(numbers).map(([name, figure]) => [name, [String(figure)]]));
  expect(body).toMatchObject({ code: expected, ...(Object.keys(details).length > 0 ? { details } : {}) });
  expect(body.error.length).toBeGreaterThan(10);
  expect(status).toBe(409);
});
