/**
 * `npm run bench:client`: processor time of a browser's main thread for the list of a market of 20,000 tokens with 1,000 updates
 * a second, at rest and while it is scrolled, beside a control with all tokens in one atom. Prints one JSON line. `--quick`
 * tests the benchmark alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { build, type Plugin } from 'vite';
import { z } from 'zod';
import { chromiumArgs, chromiumPath } from '../chromium.ts';
import { traceFrames } from './client/frames.ts';
import type { ServerCalls } from './client/server.ts';
import { type Remote, startChild } from './fanout/child.ts';
import { rounded } from './fanout/statistics.ts';
import { describeMachine, percentile } from './measure.ts';

/** The client keeps its last 600 events, ten a second, and drops half of them at once: both ends of a minute after 65 s hold as many. */
const FULL = { tokens: 20_000, rate: 1_000, seconds: 60, controlSeconds: 20, scrollSeconds: 15, warmUpSeconds: 65 };
const QUICK: typeof FULL = {
  ...FULL,
  tokens: 1_000,
  seconds: 2,
  controlSeconds: 2,
  scrollSeconds: 2,
  warmUpSeconds: 1,
};
/** Processor time of a frame and of the longest task, ms; heap after ÷ before. */
const BARS = { frame: 8, scroll: 8, task: 50, heap: 1.15 } as const;
/** Pixels that the list is scrolled in each frame. */
const SCROLL_PX = 60;
const PAGE_TIMEOUT_MS = 120_000;

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const settings = values.quick ? QUICK : FULL;
const web = fileURLToPath(new URL('../../web', import.meta.url));

/** Builds the control in place of the atoms of tokens. */
const oneAtom: Plugin = {
  name: 'one-atom',
  enforce: 'pre',
  resolveId(source, importer) {
    const isReplaced = source === './atoms/atoms.ts' && importer === path.join(web, 'live/live.ts');
    return isReplaced ? path.join(web, 'testing/one-atom.ts') : null;
  },
};

async function buildClient(outDir: string, plugins: Plugin[]): Promise<void> {
  const configFile = path.join(web, 'vite.config.ts');
  await build({ configFile, logLevel: 'error', plugins, build: { outDir, emptyOutDir: true } });
}

const heapSchema = z.object({ usedSize: z.number() });

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return heapSchema.parse(await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Scrolls the list down and up again, a step a frame. */
async function scroll(page: Page, seconds: number): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const end = performance.now() + ${seconds * 1_000};
    let step = ${SCROLL_PX};
    const tick = () => {
      const room = document.documentElement.scrollHeight - innerHeight;
      if (scrollY + step > room || scrollY + step < 0) step = -step;
      scrollBy(0, step);
      if (performance.now() < end) requestAnimationFrame(tick);
      else resolve();
    };
    requestAnimationFrame(tick);
  })`);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

interface Measured {
  frames: number;
  frameP95: number;
  longestTask: number;
  /** Processor time of the main thread in a second, ms. */
  busy: number;
  heapRatio: number;
  heapMb: number;
  updatesPerSecond: number;
  /** Mean of the frames while scrolling, and their p95. */
  scroll: { frames: number; mean: number; p95: number };
}

async function measure(browser: Browser, webRoot: string, seconds: number): Promise<Measured> {
  const server: Remote<ServerCalls> = startChild(fileURLToPath(new URL('client/server.ts', import.meta.url)), null);
  const port = await server.call('start', { webRoot, tokens: settings.tokens });
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  try {
    await page.goto(`http://127.0.0.1:${port}/app/tokens`);
    await page.locator('[data-address]').first().waitFor();
    await server.call('feed', settings.rate);
    await wait(settings.warmUpSeconds * 1_000);
    const session = await page.context().newCDPSession(page);
    const before = await heapOf(session);
    const publishedBefore = await server.call('published');
    const start = performance.now();
    const rest = await traceFrames(session, () => wait(seconds * 1_000));
    const published = (await server.call('published')) - publishedBefore;
    const tookSeconds = (performance.now() - start) / 1_000;
    const after = await heapOf(session);
    const scrolling = await traceFrames(session, () => scroll(page, settings.scrollSeconds));
    return {
      frames: rest.frames.length,
      frameP95: percentile(rest.frames, 0.95),
      longestTask: Math.max(rest.longestTask, scrolling.longestTask),
      busy: sumOf(rest.frames) / tookSeconds,
      heapRatio: after / before,
      heapMb: after / 2 ** 20,
      updatesPerSecond: published / tookSeconds,
      scroll: {
        frames: scrolling.frames.length,
        mean: sumOf(scrolling.frames) / scrolling.frames.length,
        p95: percentile(scrolling.frames, 0.95),
      },
    };
  } finally {
    await page.close();
    await server.stop();
  }
}

function reportOf(client: Measured, control: Measured, loadAverageBefore: number[]) {
  const atMost = (value: number, bar: number, unit = ' ms') => {
    return { value: rounded(value), bar: `<= ${bar}${unit}`, pass: value <= bar };
  };
  const figures = {
    frameP95: atMost(client.frameP95, BARS.frame),
    scrollFrame: atMost(client.scroll.mean, BARS.scroll),
    longestTask: atMost(client.longestTask, BARS.task),
    heapRatio: atMost(client.heapRatio, BARS.heap, ''),
    controlFrameP95: {
      value: rounded(control.frameP95),
      bar: `> ${BARS.frame} ms`,
      pass: control.frameP95 > BARS.frame,
    },
  };
  const pass = Object.values(figures).every((figure) => figure.pass);
  const machine = describeMachine(loadAverageBefore);
  return { bench: 'client', quick: values.quick, pass, figures, details: { client, control }, settings, machine };
}

const loadAverageBefore = os.loadavg();
const outDir = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-bench-client-'));
try {
  const roots = { client: path.join(outDir, 'client'), control: path.join(outDir, 'control') };
  await buildClient(roots.client, []);
  await buildClient(roots.control, [oneAtom]);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  try {
    const client = await measure(browser, roots.client, settings.seconds);
    const control = await measure(browser, roots.control, settings.controlSeconds);
    const report = reportOf(client, control, loadAverageBefore);
    process.stdout.write(`${JSON.stringify(report)}\n`);
    // A quick run says nothing about the figures.
    if (!report.pass && !values.quick) process.exitCode = 1;
  } finally {
    await browser.close();
  }
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
