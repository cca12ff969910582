import { expect, test } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import { createLog } from './log.ts';

function logged(isTTY: boolean) {
  const lines: string[] = [];
  const log = createLog('debug', { isTTY, write: (line: string) => lines.push(line) });
  return { log, lines };
}

test('a terminal gets short plain lines', () => {
  const { log, lines } = logged(true);
  log.child({ part: 'market' }).warn({ ms: 12 }, 'slow');
  log.warn({ error: new Error('no route') }, 'could not ask');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}slow part=market ms=12\n$/);
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d warn {2}could not ask: no route\n$/);
});

test('a terminal gets the stack of what is wrong with the program', () => {
  const { log, lines } = logged(true);
  log.error({ path: '/api', error: new TypeError('x is no function') }, 'request failed');
  expect(lines[0]).toMatch(/ error request failed path=\/api\nTypeError: x is no function\n +at /);
});

test('anything else gets one JSON object a line', () => {
  const { log, lines } = logged(false);
  log.warn({ password: 'secret', error: new Error('no route') }, 'could not ask');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    msg: 'could not ask',
    password: '[Redacted]',
    error: { name: 'Error', message: 'no route', stack: expect.any(String) },
  });
});

test('an error that is meant for the user has no stack', () => {
  const { log, lines } = logged(false);
  log.error({ error: new PublicError('unavailable') }, 'told');
  expect(JSON.parse(lines[0] ?? '').error).not.toHaveProperty('stack');
});
