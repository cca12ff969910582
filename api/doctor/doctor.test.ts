import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { readConfig } from '../config/config.ts';
import { closeServer, listen } from '../http/listen.ts';
import { testFolder } from '../testing/folder.ts';
import { examine } from './doctor.ts';

const SECRET = 'a-provider-key';
const HOUR = 3_600_000;

const folder = await testFolder('doctor');

/** Returns the lines of the doctor, and whether nothing failed. */
async function examined(env: Record<string, string>) {
  const lines: string[] = [];
  const surroundings = { requireEmbeddedMongo: () => {}, glibc: '2.36' };
  const config = readConfig({ PORT: '0', DATA_DIR: path.join(folder, 'none'), LOCAL_CHAIN_PORT: '0', ...env });
  const isFine = await examine(config, surroundings, (line) => lines.push(line));
  return { isFine, lines, bad: lines.filter((line) => !line.startsWith('ok')) };
}

async function serving(server: Server): Promise<string> {
  const url = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => closeServer(server));
  return url;
}

/** Starts a node that answers every method but `refused`. `date`: its time; missing: now. */
async function node({ refused = '', date = new Date(), body }: { refused?: string; date?: Date; body?: string } = {}) {
  const server = createServer((request, response) => void respond(request, response));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { method } = z.object({ method: z.string() }).parse(JSON.parse(text));
    response.setHeader('date', date.toUTCString());
    const result = method === 'getVersion' ? { 'solana-core': '3.0.1' } : {};
    response.end(body ?? JSON.stringify(method === refused ? { error: { message: 'not here' } } : { result }));
  }
  const url = await serving(server);
  const sockets = new WebSocketServer({ server });
  onTestFinished(() => sockets.close());
  return { SOLANA_RPC_URL: `${url}/${SECRET}`, SOLANA_WS_URL: url.replace('http', 'ws') };
}

test('a machine that has all it needs gets no line with a way out', async () => {
  const { isFine, bad, lines } = await examined(await node());
  expect([isFine, bad]).toEqual([true, []]);
  expect(lines.join('\n')).toContain('runs version 3.0.1');
});

test('a port of another program is a failure, and one of a running Mintwatch is not', async () => {
  const other = new URL(await serving(createServer((_request, response) => void response.end('{}'))));
  const found = await examined({ PORT: other.port });
  expect(found.bad).toEqual([
    `FAIL  port     127.0.0.1:${other.port} is used by another program. Stop it, or set PORT.`,
  ]);
  expect(found.isFine).toBe(false);
  const health = { status: 'ok', version: '1', uptime: 1, mongo: 'up', market: [], feed: { epoch: 'a', seq: 1 } };
  const own = new URL(await serving(createServer((_request, response) => void response.end(JSON.stringify(health)))));
  expect((await examined({ PORT: own.port })).bad).toEqual([]);
});

test('a node that lacks a method is named with its consequence', async () => {
  const { isFine, bad } = await examined(await node({ refused: 'getRecentPerformanceSamples' }));
  expect(isFine).toBe(true);
  expect(bad).toEqual([
    expect.stringMatching(
      /^warn {2}chain .* refuses getRecentPerformanceSamples \(not here\): slots count as 400 ms\.$/,
    ),
  ]);
});

test.each([
  ['garbage', { body: 'not JSON' }, /does not respond as a Solana node/],
  ['another time', { date: new Date(Date.now() - HOUR) }, /It is 36\d\d s ahead/],
])('a node with %s is a failure, and its key is in no line', async (_name, options, text) => {
  const { isFine, bad, lines } = await examined(await node(options));
  expect(isFine).toBe(false);
  expect(bad).toEqual([expect.stringMatching(text)]);
  expect(lines.join('\n')).not.toContain(SECRET);
});

test('keys that others can read, and a database that is away, are failures', async () => {
  const file = path.join(folder, 'wallet-master-key');
  await writeFile(file, `${'a'.repeat(43)}\n`);
  await chmod(file, 0o644);
  const { bad } = await examined({ DATA_DIR: folder, MONGODB_URI: 'mongodb://root:secret@127.0.0.1:1/x' });
  expect(bad).toEqual([
    expect.stringContaining(`Run: chmod 600 ${file}`),
    expect.stringMatching(/^FAIL {2}mongodb .*ECONNREFUSED/),
  ]);
  expect(bad.join('\n')).not.toContain('secret');
});
