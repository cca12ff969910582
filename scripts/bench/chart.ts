/**
 * `npm run bench:chart`: processor time of a browser's main thread for the chart of a coin with 5,000 candles and 10 updates a
 * second, beside a control that draws all candles with each update. Prints a line for people to stderr and one JSON line to stdout.
 * `--quick` is a short run. Fails above the bar, and when the control does not.
 */
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { z } from 'zod';
import { chromiumArgs, chromiumPath } from '../chromium.ts';
import { describeMachine, percentile } from './measure.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const SECONDS = values.quick ? 6 : 30;
const WARM_UP_SECONDS = 3;
const CANDLES = 5_000;
const RATE = 10;
/** Processor time of scripts for a painted frame, ms; the raster apart, which a graphics card does. */
const BAR = 4;

const metricsSchema = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

/** Returns the script of the page that is measured. */
async function pageScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: {
        entry: path.resolve(import.meta.dirname, '../../web/testing/chart-bench.ts'),
        formats: ['es'],
        fileName: 'page',
      },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  const chunk = bundle !== undefined && 'output' in bundle ? bundle.output[0] : undefined;
  if (chunk === undefined) throw new Error('the page was not built');
  return chunk.code;
}

interface Measured {
  /** Ms of the main thread for each painted frame, the raster of the canvas in software included. */
  task: number;
  /** Ms of scripts for each painted frame: of all frames, and of the seconds at p95. */
  script: number;
  scriptP95: number;
  frames: number;
}

async function measure(browser: Browser, url: string): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1_000, height: 500 } });
  await page.goto(url);
  const session = await page.context().newCDPSession(page);
  // Processor time: time on the wall counts the other processes of the machine as well.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = metricsSchema.parse(await session.send('Performance.getMetrics'));
    const ms = (name: string) => 1_000 * (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN);
    const frames = Number(await page.evaluate('document.body.dataset.frames'));
    return { task: ms('TaskDuration'), script: ms('ScriptDuration'), frames };
  };
  await sleep(WARM_UP_SECONDS * 1_000);
  const first = await read();
  let before = first;
  const seconds: number[] = [];
  for (let second = 0; second < SECONDS; second += 1) {
    await sleep(1_000);
    const now = await read();
    seconds.push((now.script - before.script) / (now.frames - before.frames));
    before = now;
  }
  await page.close();
  const frames = before.frames - first.frames;
  return {
    task: (before.task - first.task) / frames,
    script: (before.script - first.script) / frames,
    scriptP95: percentile(seconds, 0.95),
    frames,
  };
}

const script = await pageScript();
const html = '<!doctype html><html><body><script type="module" src="/page.js"></script></body></html>';
const server = createServer((request, response) => {
  const isScript = request.url === '/page.js';
  response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : html);
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const loadBefore = os.loadavg();
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
try {
  const url = `http://127.0.0.1:${port}/?candles=${CANDLES}&rate=${RATE}`;
  const chart = await measure(browser, url);
  const control = await measure(browser, `${url}&redraw=1`);
  const line = (name: string, { task, script: own, scriptP95, frames }: Measured) =>
    `${name}: ${task.toFixed(2)} ms a frame, of it scripts ${own.toFixed(2)} (p95 ${scriptP95.toFixed(2)}), ${frames} frames`;
  console.error(`${line('chart', chart)}\n${line('control, all candles drawn', control)}\nbar: ${BAR} ms`);
  console.log(JSON.stringify({ chart, control, bar: BAR, machine: describeMachine(loadBefore) }));
  if (chart.script > BAR || control.script <= BAR) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
}
