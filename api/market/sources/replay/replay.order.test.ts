import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TokenRecord } from '../../../tokens/record.ts';
import { fakeClock, testEngine } from '../../testing/market.ts';
import type { Observation } from '../observation.ts';
import { createFrames } from '../solana/decode/frames.ts';
import { recordedFrames, recordingFile } from '../solana/testing/events.ts';
import { byCoin, eventually, testContext } from '../testing/source-context.ts';
import { createReplay } from './replay.ts';

type RecordedLine = ReturnType<typeof recordedFrames>[number];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'replay-order-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Plays a recording at full speed and returns its observations in the order of the market. */
async function observationsOf(file: string): Promise<Observation[]> {
  const context = testContext();
  const source = createReplay({ file, speed: 0, times: 'recorded', clock: { now: () => 0 } });
  await source.start(context);
  await eventually(() => source.status().state).toBe('ended');
  await source.stop();
  return context.observations;
}

/** Returns the shipped recording with every frame up to four slots late, and in any order within a slot. */
function shuffled(seed: number): RecordedLine[] {
  const slotOf = (raw: string) => Number(JSON.parse(raw).params?.result.context.slot ?? 0);
  const late = (index: number) => (((index + seed) * 7_919) % 40) / 10;
  return recordedFrames()
    .map((frame, index) => ({ frame, arrives: slotOf(frame.raw) + late(index) }))
    .toSorted((a, b) => a.arrives - b.arrives)
    .map(({ frame }) => frame);
}

async function fileOf(lines: readonly RecordedLine[]): Promise<string> {
  const file = path.join(folder, 'shuffled.jsonl');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

/** Returns the observations in the order of the frames, without the order of the chain. */
function unordered(lines: readonly RecordedLine[]): Observation[] {
  const reader = createFrames({ source: 'replay', cluster: 'mainnet' });
  return lines.flatMap(({ t_wall, raw }) => {
    const frame = reader.read(raw, { receivedAt: Math.round(t_wall * 1_000), shift: 0 });
    return frame.kind === 'transaction' ? frame.observations : [];
  });
}

/** Returns the stored tokens after these observations, a few in each tick, and a minute later. */
async function recordsAfter(observations: readonly Observation[]): Promise<Record<string, Partial<TokenRecord>>> {
  const last = Math.max(...observations.map(({ receivedAt }) => receivedAt));
  const { store, see, tick } = testEngine({ clock: fakeClock(last) });
  for (let from = 0; from < observations.length; from += 5) await see(...observations.slice(from, from + 5));
  for (let second = 0; second < 60; second += 1) await tick(1_000);
  return Object.fromEntries([...store.records].map(([address, record]) => [address, figuresOf(record)]));
}

function figuresOf(record: TokenRecord): Partial<TokenRecord> {
  const {
    price,
    liquidityLamports,
    reserves,
    holderCount,
    topHolders,
    buys,
    sells,
    complete,
    tradesMissed = 0,
  } = record;
  const { riskScore, riskCoverage, growthScore, marketCapUsd, volumeUsd, initialLiquidityLamports } = record;
  return {
    ...{ price, liquidityLamports, reserves, holderCount, topHolders, buys, sells, complete, tradesMissed },
    ...{ riskScore, riskCoverage, growthScore, marketCapUsd, volumeUsd, initialLiquidityLamports },
  };
}

describe('a copy of the recording whose frames arrive up to four slots late', () => {
  test.each([1, 2, 3])('is put into the order of the chain (%i)', async (seed) => {
    const lines = shuffled(seed);
    const observations = await observationsOf(await fileOf(lines));
    const inOrder = byCoin(await observationsOf(recordingFile));
    expect(byCoin(observations)).toEqual(inOrder);
    expect(byCoin(unordered(lines))).not.toEqual(inOrder);
  });

  test.each([1, 2])('gives the same prices, liquidity, holders and scores (%i)', async (seed) => {
    const expected = await recordsAfter(await observationsOf(recordingFile));
    expect(Object.values(expected).some(({ riskScore }) => riskScore !== null)).toBe(true);
    expect(await recordsAfter(await observationsOf(await fileOf(shuffled(seed))))).toEqual(expected);
  });
});
