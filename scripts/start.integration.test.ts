import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
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

/** Signs the administrator in. Resolves with the status. */
async function logIn(url: string, username: string, password: string | undefined): Promise<number> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return response.status;
}

test('starts from nothing, keeps its directory for itself, ends with code 0 on SIGTERM, and keeps its data', {
  timeout: SLOW,
}, async () => {
  const app = start();
  const output = await app.ready();
  expect(output).toMatch(/\[1\/8\] Node\.js: [\s\S]*\[8\/8\] Mintwatch: running/);
  const password = /Sign in as admin with the password (\S{12,}) /.exec(output)?.[1];
  expect(password).toBeDefined();
  // Printed when it is generated: a Ctrl-C while the market starts would lose it for good.
  expect(output.indexOf('with the password')).toBeLessThan(output.indexOf('[8/8] Mintwatch: running'));
  const page = await fetch(`${urlIn(output)}/auth`);
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

  const line = `Another Mintwatch (process ${app.child.pid}) runs on ${folder}/mongo. Stop it, or set DATA_DIR to another directory.`;
  expect(await start().ended).toEqual({ code: 1, errors: line });
  expect(await start({}, 'dev.mjs').ended).toEqual({ code: 1, errors: line });
  expect(await (await fetch(`${urlIn(output)}/api/health`)).json()).toMatchObject({ mongo: 'up' });

  app.child.kill('SIGTERM');
  expect(await app.ended).toEqual({ code: 0, errors: '' });
  await expect(requestHealth()).rejects.toThrow();
  await expect(fetch(`${urlIn(output)}/api/health`)).rejects.toThrow();

  const again = await start().ready();
  expect(again).not.toContain('password');
  expect(await logIn(urlIn(again), 'admin', password)).toBe(200);
});

test('starts with the administrator of its variables, and again on the directory of a killed one', {
  timeout: SLOW,
}, async () => {
  const password = 'a password of my own';
  const first = start({ ADMIN_USERNAME: 'chief', ADMIN_PASSWORD: password });
  expect(await first.ready()).not.toContain(password);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = start();
  expect(await logIn(urlIn(await second.ready()), 'chief', password)).toBe(200);
  second.child.kill('SIGINT');
  expect(await second.ended).toMatchObject({ code: 0 });
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
  [{ MARKET: 'stocks' }, 'MARKET: takes simulator, solana'],
  [{ MONGODB_URI: 'http://127.0.0.1' }, 'MONGODB_URI: must begin with mongodb://'],
  [{ DATA_DIR: '/proc/mintwatch' }, 'Cannot write to the data directory /proc/mintwatch'],
])('refuses %j with one line', { timeout: SLOW }, async (variables, line) => {
  const app = start(variables);
  const { code, errors } = await app.ended;
  expect(code).toBe(1);
  expect(errors).toContain(line);
  expect(errors.split('\n')).toHaveLength(1);
  expect(app.output()).not.toContain('Mintwatch is at');
});

test.each(['start.mjs', 'dev.mjs'])(
  '%s refuses data of another format with one line, and leaves it as it is',
  {
    timeout: SLOW,
  },
  async (script) => {
    await writeFile(path.join(folder, 'data-format'), '{"format":3,"version":"9.8.7"}');
    const { mtimeMs } = await stat(folder);
    const { code, errors } = await start({}, script).ended;
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^DATA_DIR .+ holds data of format 3; .+ Back up and export wallets with version 9\.8\.7, .+$/,
    );
    expect([await readdir(folder), (await stat(folder)).mtimeMs]).toEqual([['data-format'], mtimeMs]);
  },
);

test('refuses a data directory that is a file with one line', { timeout: SLOW }, async () => {
  const file = path.join(folder, 'data');
  await writeFile(file, '');
  const { code, errors } = await start({ DATA_DIR: file }).ended;
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `Cannot write to the data directory ${file}: a part of the path is a file. Set DATA_DIR to another one.`,
  });
});
