import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { everyCall } from '../../common/calls.ts';
import { createForwardedPaths, type Need, needOf, needs } from './needs.ts';

const isForwarded = createForwardedPaths();

test('every call has a need, and is forwarded by its path unless it needs the database alone', () => {
  for (const { name, call } of everyCall()) {
    const address = call.path.replaceAll(/\{\w+\}/g, 'x');
    expect([name, isForwarded(call.method, address)]).toEqual([name, needOf(name) !== 'database']);
  }
  expect(() => needOf('tokens.nothing.else')).not.toThrow();
  expect(() => needOf('nothing.at.all')).toThrow('nothing.at.all has no need');
});

test.each([
  ['HEAD', '/api/tokens', true],
  ['GET', '/metrics', true],
  // Of a path with calls of both kinds the method decides.
  ['GET', '/api/users/1/transactions', false],
  ['POST', '/api/users/1/transactions', true],
  ['POST', '/api/auto-buy-rules/preview', true],
  ['DELETE', '/api/auto-buy-rules/preview', false],
  // A method that no call has is refused where a call of the path is served.
  ['PUT', '/api/users/1/transactions', false],
  ['PUT', '/api/trading/orders', true],
  // Nothing of ours.
  ['GET', '/api/trading', false],
  ['GET', '/api/trading/orders/', false],
  ['GET', '/api/trading/orders/1/cancel/2', false],
  ['GET', '/', false],
])('%s %s: forwarded %s', (method, address, expected) => {
  expect(isForwarded(method, address)).toBe(expected);
});

test('the operators’ page lists the need of every call', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/operations.md'), 'utf8');
  for (const need of ['database', 'feed', 'worker'] as const)
    expect(page).toContain(`| \`${need}\` | ${listOf(need)} |`);
});

/** Returns the calls with a need, `subject.*` for all calls of a subject. */
function listOf(need: Need): string {
  const names = Object.entries(needs).flatMap(([subject, group]) => {
    if (typeof group === 'string') return group === need ? [`\`${subject}.*\``] : [];
    return Object.entries(group).flatMap(([name, own]) => (own === need ? [`\`${subject}.${name}\``] : []));
  });
  return names.join(' ');
}
