/**
 * `npm run bench:fairness`: the times of one user while others take what they can, anonymous logins or searches of one account,
 * beside a control run without them. Generator, user and server are processes of their own. Prints one JSON line. `--quick` is
 * a short run, which tests the benchmark and measures nothing.
 */
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Remote, startChild } from './fanout/child.ts';
import { rounded } from './fanout/statistics.ts';
import { registerAt } from './http/accounts.ts';
import type { Attack, LoadCalls } from './http/load.ts';
import type { ProbeCalls } from './http/probe.ts';
import type { ProductCalls } from './http/product.ts';
import { describeMachine } from './measure.ts';

const BARS = { p99: 250, feedP99: 150 } as const;
const ATTACKS: Record<Attack, number> = { logins: 200, searches: 60 };
/** Stored before the start, so that a search has something to find. */
const TOKENS = 2_000;

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const seconds = values.quick ? 2 : 20;
const fileOf = (name: string) => fileURLToPath(new URL(`http/${name}`, import.meta.url));
const progress = (line: string) => process.stderr.write(`${line}\n`);

interface Children {
  product: Remote<ProductCalls>;
  load: Remote<LoadCalls>;
  probe: Remote<ProbeCalls>;
}

async function measure({ product, load, probe }: Children) {
  const { url } = await product.call('start', { market: 'simulator', tokens: TOKENS, limits: null });
  const cookie = await registerAt(url, 'victim');
  const searcher = await registerAt(url, 'searcher');
  await probe.call('open', { url, cookie });
  const watch = async (name: string) => {
    const times = await probe.call('watch', { url, cookie, seconds });
    const { p50, p99, feedP50, feedP99 } = times;
    const shown = {
      ...times,
      p50: rounded(p50),
      p99: rounded(p99),
      feedP50: rounded(feedP50),
      feedP99: rounded(feedP99),
    };
    progress(`${name}: ${JSON.stringify(shown)}`);
    return shown;
  };
  await watch('warm-up');
  const control = await watch('control');
  const attacked = async (kind: Attack) => {
    await load.call('attack', { url, kind, connections: ATTACKS[kind], cookie: searcher });
    // The beginning of an attack is part of it; its connections are opened first.
    await pause(500);
    const times = await watch(kind);
    const attacker = await load.call('stopAttack', null);
    await pause(1_000);
    const refused = Object.entries(times.statuses).filter(([status]) => status !== '200');
    const pass = times.p99 <= BARS.p99 && times.feedP99 <= BARS.feedP99 && refused.length === 0;
    return { pass, ...times, attacker };
  };
  const logins = await attacked('logins');
  const searches = await attacked('searches');
  const after = await watch('second control');
  await probe.call('close', null);
  return { control, figures: { logins, searches }, after };
}

const loadAverageBefore = os.loadavg();
const children: Children = {
  product: startChild(fileOf('product.ts'), null),
  load: startChild(fileOf('load.ts'), null),
  probe: startChild(fileOf('probe.ts'), null),
};
try {
  const { control, figures, after } = await measure(children);
  const pass = figures.logins.pass && figures.searches.pass;
  const bars = { p99Ms: BARS.p99, feedP99Ms: BARS.feedP99, otherThan200: 0 };
  const report = { bench: 'fairness', quick: values.quick, pass, bars, control, figures, secondControl: after };
  process.stdout.write(`${JSON.stringify({ ...report, machine: describeMachine(loadAverageBefore) })}\n`);
} finally {
  await children.product.call('stop', null);
  await Promise.all([children.product.stop(), children.load.stop(), children.probe.stop()]);
}
