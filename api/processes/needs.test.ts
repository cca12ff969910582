import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { everyCall } from '../../common/calls.ts';
import { createNeedLookup, type Need, needOf, needs } from './needs.ts';

const needAt = createNeedLookup();

test('every call has a need, which its path gives as well', () => {
  for (const { name, call } of everyCall()) {
    const address = call.path.replaceAll(/\{\w+\}/g, 'x');
    expect([name, needAt(call.method, address)]).toEqual([name, needOf(name)]);
  }
  expect(() => needOf('alerts.nothing.else')).not.toThrow();
  expect(() => needOf('nothing.at.all')).toThrow('nothing.at.all has no need');
});

test.each([
  ['HEAD', '/api/tokens', 'feed'],
  ['GET', '/metrics', 'worker'],
  // Of a path with calls of two needs the method decides.
  ['GET', '/api/users/1/transactions', 'database'],
  ['POST', '/api/users/1/transactions', 'worker'],
  ['POST', '/api/auto-buy-rules/preview', 'worker'],
  ['DELETE', '/api/auto-buy-rules/preview', 'database'],
  // A method that no call has is refused where a call of the path is served.
  ['PUT', '/api/users/1/transactions', 'database'],
  ['PUT', '/api/trading/orders', 'worker'],
  // Nothing of ours.
  ['GET', '/api/trading', 'database'],
  ['GET', '/api/trading/orders/', 'database'],
  ['GET', '/api/trading/orders/1/cancel/2', 'database'],
  ['GET', '/', 'database'],
])('%s %s needs %s', (method, address, expected) => {
  expect(needAt(method, address)).toBe(expected);
});

test('the operators’ page lists the need of every call', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/operations.md'), 'utf8');
  const needs = ['database', 'feed', 'market', 'worker'] as const;
  const [, table = ''] = page.split('| need | calls |\n|---|---|\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  expect(rows).toEqual(needs.map((need) => `| \`${need}\` | ${listOf(need)} |`));
});

/** Returns the calls with a need, `subject.*` for all calls of a subject. */
function listOf(need: Need): string {
  const names = Object.entries(needs).flatMap(([subject, group]) => {
    if (typeof group === 'string') return group === need ? [`\`${subject}.*\``] : [];
    return Object.entries(group).flatMap(([name, own]) => (own === need ? [`\`${subject}.${name}\``] : []));
  });
  return names.join(' ');
}
