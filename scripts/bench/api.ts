/**
 * `npm run bench:api`: reads of a signed-in user beside a bare Koa route that sends the same bytes, each alone for a moment, in
 * turns, compared by the server's CPU time for a request. Prints one JSON line. `--quick` is a short run, which tests the benchmark and measures nothing.
 */
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { noLimits } from '../../api/testing/server.ts';
import { addressNumber } from '../../api/testing/tokens.ts';
import { canPin, type Remote, startChild } from './fanout/child.ts';
import { median, rounded } from './fanout/statistics.ts';
import { registerAt } from './http/accounts.ts';
import type { LoadCalls } from './http/load.ts';
import type { ProductCalls } from './http/product.ts';
import { describeMachine } from './measure.ts';

const CONNECTIONS = 20;
const TOKENS = 2_000;
/** Least CPU time of the bare route as a share of list's and 304's. */
const BAR = 0.7;
/** Least share of responses with the expected status. */
const EXPECTED = 0.95;
const [SERVER_CPU, LOAD_CPU] = [0, 1];

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const settings = values.quick ? { rounds: 1, seconds: 0.3 } : { rounds: 7, seconds: 2 };
const fileOf = (name: string) => fileURLToPath(new URL(`http/${name}`, import.meta.url));

/** The reads, each beside its bare route. */
const NAMES = [
  'bareList',
  'list',
  'bareNotModified',
  'notModified',
  'bareDetail',
  'detail',
  'bareStats',
  'stats',
] as const;
type Name = (typeof NAMES)[number];

interface Target {
  url: string;
  path: string;
  headers: Record<string, string>;
  status: number;
}

/** Reads each target in turns. Resolves with the median requests a second and CPU times of the server, µs a request. Throws when too many responses have another status. */
async function rates(
  product: Remote<ProductCalls>,
  load: Remote<LoadCalls>,
  targetsNow: () => Promise<Record<Name, Target>>,
) {
  const measured = new Map<string, { rate: number; cpu: number }[]>();
  for (let round = 0; round <= settings.rounds; round += 1) {
    for (const name of NAMES) {
      // Now: the validator of the list may be another one in a moment.
      const target = (await targetsNow())[name];
      const { url, path, headers, status } = target;
      const { seconds } = settings;
      const before = await product.call('cpu', null);
      const { rate, requests, statuses } = await load.call('read', {
        url,
        path,
        headers,
        connections: CONNECTIONS,
        seconds,
      });
      const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
      // A list may change meanwhile: volumes of the last hours depend on the time.
      if ((statuses[status] ?? 0) < EXPECTED * all) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
      // The first round warms up.
      const cpu = ((await product.call('cpu', null)) - before) / requests;
      if (round > 0) measured.set(name, [...(measured.get(name) ?? []), { rate, cpu }]);
      process.stderr.write(`${name}: ${Math.round(rate)}/s, ${Math.round(cpu)} µs\n`);
    }
  }
  return (name: Name) => {
    const rounds = measured.get(name) ?? [];
    return { rate: median(rounds.map(({ rate }) => rate)), cpu: median(rounds.map(({ cpu }) => cpu)) };
  };
}

async function main(product: Remote<ProductCalls>, load: Remote<LoadCalls>) {
  const { url } = await product.call('start', { market: 'off', tokens: TOKENS, limits: noLimits });
  const cookie = await registerAt(url, 'reader');
  const paths = {
    list: '/api/tokens?limit=200',
    detail: `/api/tokens/address/${addressNumber(0)}`,
    stats: '/api/tokens/stats',
  };
  const headers = { Cookie: cookie };
  const read = async (path: string) => {
    const response = await fetch(url + path, { headers: { ...headers, 'Accept-Encoding': 'identity' } });
    return { text: await response.text(), etag: response.headers.get('ETag') ?? '' };
  };
  const list = await read(paths.list);
  const bareOf = async ({ text }: { text: string }) => (await product.call('startBare', { body: text })).url;
  const bare = {
    list: await bareOf(list),
    detail: await bareOf(await read(paths.detail)),
    stats: await bareOf(await read(paths.stats)),
  };
  const ok = { path: '/', headers: {}, status: 200 };
  const targets = async () => ({
    bareList: { ...ok, url: bare.list },
    list: { url, path: paths.list, headers, status: 200 },
    bareNotModified: { url: bare.list, path: '/', headers: { 'If-None-Match': 'W/"bare"' }, status: 304 },
    notModified: {
      url,
      path: paths.list,
      headers: { ...headers, 'If-None-Match': (await read(paths.list)).etag },
      status: 304,
    },
    bareDetail: { ...ok, url: bare.detail },
    detail: { url, path: paths.detail, headers, status: 200 },
    bareStats: { ...ok, url: bare.stats },
    stats: { url, path: paths.stats, headers, status: 200 },
  });
  const rate = await rates(product, load, targets);
  const compared = (name: Name, bareName: Name) => {
    const [ours, bareOne] = [rate(name), rate(bareName)];
    return {
      perSecond: Math.round(ours.rate),
      barePerSecond: Math.round(bareOne.rate),
      cpuUs: Math.round(ours.cpu),
      bareCpuUs: Math.round(bareOne.cpu),
      ratio: rounded(bareOne.cpu / ours.cpu, 3),
    };
  };
  return {
    figures: {
      list: { ...compared('list', 'bareList'), bar: `>= ${BAR}` },
      notModified: { ...compared('notModified', 'bareNotModified'), bar: `>= ${BAR}` },
      detail: compared('detail', 'bareDetail'),
      stats: compared('stats', 'bareStats'),
    },
    listBytes: Buffer.byteLength(list.text),
  };
}

const loadAverageBefore = os.loadavg();
const product = startChild<ProductCalls>(fileOf('product.ts'), SERVER_CPU);
const load = startChild<LoadCalls>(fileOf('load.ts'), LOAD_CPU);
try {
  const { figures, listBytes } = await main(product, load);
  const pass = figures.list.ratio >= BAR && figures.notModified.ratio >= BAR;
  const machine = { ...describeMachine(loadAverageBefore), pinned: canPin };
  const report = { bench: 'api', quick: values.quick, pass, connections: CONNECTIONS, listBytes, figures, machine };
  process.stdout.write(`${JSON.stringify(report)}\n`);
} finally {
  await product.call('stop', null);
  await product.stop();
  await load.stop();
}
