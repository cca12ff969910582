import { expect, test } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import { createLog } from './log.ts';

function logged(isTTY: boolean) {
  const lines: string[] = [];
  const log = createLog('debug', { isTTY, write: (line: string) => lines.push(line) });
  return { log, lines };
}

test('writes short plain lines to a terminal', () => {
  const { log, lines } = logged(true);
  log.child({ part: 'market' }).warn({ ms: 12 }, 'slow');
  log.warn({ error: new Error('no route') }, 'request failed');
  expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: slow \{"part":"market","ms":12\}\n$/);
  expect(lines[1]).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: request failed: no route\n$/);
});

test('writes the stack of a program error to a terminal', () => {
  const { log, lines } = logged(true);
  log.error({ path: '/api', error: new TypeError('x is no function') }, 'request failed');
  expect(lines[0]).toMatch(/ ERROR: request failed\nTypeError: x is no function\n +at /);
  expect(lines[0]).toContain('{"path":"/api"}');
});

test.each([true, false])('never writes a named secret (terminal: %s)', (isTTY) => {
  const { log, lines } = logged(isTTY);
  log.warn({ password: 'hunter2', user: { seed: 'hunter2' } }, 'refused');
  expect(lines[0]).not.toContain('hunter2');
});

test('writes one JSON object a line to anything else', () => {
  const { log, lines } = logged(false);
  log.warn({ password: 'secret', error: new Error('no route') }, 'request failed');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    msg: 'request failed',
    password: '[Redacted]',
    error: { name: 'Error', message: 'no route', stack: expect.any(String) },
  });
});

test.each(['err', 'error'])(
  'writes %s of a library with its message, without attached fields and credentials',
  (field) => {
    const { log, lines } = logged(false);
    const error = new TypeError('failed: mongodb://root:hunter2@db:27017/x', { cause: new Error('hunter2') });
    log
      .child({ part: 'orders' })
      .warn({ [field]: Object.assign(error, { command: { key: 'hunter2' } }) }, 'read failed');
    expect(JSON.parse(lines[0] ?? '')[field]).toEqual({
      name: 'TypeError',
      message: 'failed: mongodb://***@db:27017/x',
      stack: expect.stringContaining('log.test.ts'),
    });
    expect(lines[0]).not.toContain('hunter2');
  },
);

test('writes the type alone of a thrown value that is no error', () => {
  const { log, lines } = logged(false);
  log.warn({ error: 'hunter2' }, 'read failed');
  expect(JSON.parse(lines[0] ?? '').error).toEqual({ name: 'unknown', message: 'string' });
});

test('writes no stack of an error that is meant for the user', () => {
  const { log, lines } = logged(false);
  log.error({ error: new PublicError('unavailable') }, 'refused');
  expect(JSON.parse(lines[0] ?? '').error).not.toHaveProperty('stack');
});
