import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The first start may have to build. */
const READY = { timeout: 240_000, interval: 50 };
const SLOW = 300_000;

let folder: string;
const running: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-start-'));
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

/** Starts `npm start` without npm, on a free port and without a market. */
function start(variables: Record<string, string> = {}, script = 'start.mjs') {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: folder, MARKET: 'off' };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script)], {
    env: { ...env, LOG_LEVEL: 'silent', LOCAL_CHAIN_PORT: '0', ...variables },
  });
  running.push(child);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code, errors: errors.trim() }));
  const ready = async () => {
    await vi.waitFor(() => {
      if (child.exitCode !== null) throw new Error(`the product ended: ${errors}`);
      expect(output).toContain('Ctrl-C stops it.');
    }, READY);
    return output;
  };
  return { child, ended, ready, output: () => output };
}

const urlIn = (output: string): string => /Mintwatch is at (\S+)/.exec(output)?.[1] ?? 'no url';

test('starts from nothing, prints its URL, and ends with exit code 0 on SIGTERM', { timeout: SLOW }, async () => {
  const app = start();
  const output = await app.ready();
  expect(output).toMatch(/\[1\/8\] Node\.js: [\s\S]*\[8\/8\] Mintwatch: running/);
  expect(output).toMatch(/Sign in as admin with the password \S{12,} /);
  // Printed when it is generated: a Ctrl-C while the market starts would lose it for good.
  expect(output.indexOf('with the password')).toBeLessThan(output.indexOf('[8/8] Mintwatch: running'));
  const health = await fetch(`${urlIn(output)}/api/health`);
  expect(await health.json()).toMatchObject({ mongo: 'up' });
  const page = await fetch(urlIn(output));
  expect(await page.text()).toContain('<div id="root">');
  const notices = ['packages', 'fonts'].map((file) => fetch(`${urlIn(output)}/licences/${file}.txt`));
  const [packages, fonts] = await Promise.all(notices.map(async (response) => (await response).text()));
  expect(packages).toMatch(/^## react-dom - [\d.]+ \(MIT\)$/m);
  expect(fonts).toContain('SIL Open Font License');
  // The chain is up, and the page may connect to it.
  const chainUrl = /Local chain: at (http:\/\/127\.0\.0\.1:\d+) /.exec(output)?.[1] ?? 'no url';
  expect(page.headers.get('content-security-policy')).toContain(` ${chainUrl} ${chainUrl.replace('http', 'ws')}`);
  const requestHealth = () =>
    fetch(chainUrl, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' }) });
  expect(await (await requestHealth()).json()).toMatchObject({ result: 'ok' });

  app.child.kill('SIGTERM');
  expect(await app.ended).toEqual({ code: 0, errors: '' });
  await expect(requestHealth()).rejects.toThrow();
  await expect(fetch(`${urlIn(output)}/api/health`)).rejects.toThrow();
});

test('a second start keeps the data: the first password still works, and no new one is generated', {
  timeout: SLOW,
}, async () => {
  const first = start();
  const password = /with the password (\S+)/.exec(await first.ready())?.[1];
  first.child.kill('SIGINT');
  expect(await first.ended).toMatchObject({ code: 0 });

  const output = await start().ready();
  expect(output).not.toContain('password');
  const response = await fetch(`${urlIn(output)}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  expect(response.status).toBe(200);
});

test('npm start and npm run dev refuse a data directory in use with one line, until the first process is killed', {
  timeout: SLOW,
}, async () => {
  const first = start();
  await first.ready();
  const line = `Another Mintwatch (process ${first.child.pid}) runs on ${folder}/mongo. Stop it, or set DATA_DIR to another directory.`;
  expect(await start().ended).toEqual({ code: 1, errors: line });
  expect(await start({}, 'dev.mjs').ended).toEqual({ code: 1, errors: line });
  expect(await (await fetch(`${urlIn(first.output())}/api/health`)).json()).toMatchObject({ mongo: 'up' });

  first.child.kill('SIGKILL');
  await first.ended;
  await start().ready();
});

test('ADMIN_USERNAME and ADMIN_PASSWORD define the administrator, and the password is not printed', {
  timeout: SLOW,
}, async () => {
  const password = 'a password of my own';
  const output = await start({ ADMIN_USERNAME: 'chief', ADMIN_PASSWORD: password }).ready();
  expect(output).not.toContain(password);
  const response = await fetch(`${urlIn(output)}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'chief', password }),
  });
  expect(response.status).toBe(200);
});

test('refuses a port in use with one line', { timeout: SLOW }, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const { code, errors } = await start({ PORT: port }).ended;
  taken.close();
  expect(code).toBe(1);
  expect(errors).toContain(port);
  expect(errors).toContain('in use');
  expect(errors.split('\n')).toHaveLength(1);
});

test.each([
  [{ PORT: 'many' }, 'PORT: must be a whole number'],
  [{ MARKET: 'stocks' }, 'MARKET: takes simulator, solana'],
  [{ MARKET: 'replay:/no/such/file' }, '/no/such/file'],
  [{ MONGODB_URI: 'http://127.0.0.1' }, 'MONGODB_URI: must begin with mongodb://'],
  [{ MONGODB_URI: 'mongodb://somebody:secret@127.0.0.1:1/mintwatch' }, 'MongoDB'],
  [{ DATA_DIR: '/proc/mintwatch' }, 'Cannot write to the data directory /proc/mintwatch'],
])('refuses %j with one line', { timeout: SLOW }, async (variables, line) => {
  const app = start(variables);
  const { code, errors } = await app.ended;
  expect(code).toBe(1);
  expect(errors).toContain(line);
  expect(errors.split('\n')).toHaveLength(1);
  expect(errors).not.toContain('secret');
  expect(app.output()).not.toContain('Mintwatch is at');
});

test('refuses a data directory that is a file with one line', { timeout: SLOW }, async () => {
  const file = path.join(folder, 'data');
  await writeFile(file, '');
  const { code, errors } = await start({ DATA_DIR: file }).ended;
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `Cannot write to the data directory ${file}: a part of the path is a file. Set DATA_DIR to another one.`,
  });
});
