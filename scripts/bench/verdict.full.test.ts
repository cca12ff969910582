import { expect, test } from 'vitest';
import { seededRandom } from '../../api/market/sources/simulator/random.ts';
import { verdictFigures, withEqualScores } from './verdict/figures.ts';
import { headline, reportLine, reportText } from './verdict/report.ts';
import { AGES, runMarket } from './verdict/run-market.ts';
import { playScene, scenes } from './verdict/scenes.ts';

test('a tiny run gives every figure of product and control', async () => {
  const run = await runMarket('tiny', 40, 200);
  expect(run.coins).toBeGreaterThan(20);
  expect(run.snapshots).toHaveLength(run.coins * AGES.length);
  const figures = verdictFigures([run], seededRandom('bootstrap'));
  expect(figures.ages.map(({ age }) => age)).toEqual(AGES);
  for (const { cases, dumps, dumpArea } of figures.ages) {
    expect(cases).toBeGreaterThan(dumps);
    expect(dumpArea?.value).toBeGreaterThan(0);
  }
  const control = verdictFigures([withEqualScores(run)], seededRandom('bootstrap'));
  const line = reportLine([run], figures, control, []);
  const headlineFigures = {
    aucDump2min: expect.any(Number),
    aucDump10min: expect.any(Number),
    drainedLow: expect.any(Number),
  };
  expect(line).toMatchObject({ bench: 'verdict', seeds: ['tiny'], ...headlineFigures, control: headlineFigures });
  expect(line.pass.controlFails).toBe(true);
  expect(reportText(figures, [])).toContain('dumped by insiders');
});

test.each(scenes.flatMap((scene) => [400, 200].map((slotMs) => [scene.name, slotMs, scene] as const)))(
  'the scene "%s" gets the score it needs with slots of %d ms',
  async (_, slotMs, scene) => {
    expect((await playScene(scene, slotMs)).pass).toBe(true);
  },
);

test('the worst of the seeds counts', () => {
  const area = (value: number) => ({ value, low: 0, high: 1 });
  const age = (seed: string, value: number) => ({
    seed,
    age: AGES[1],
    cases: 9,
    dumps: 3,
    lost: 1,
    dumpArea: area(value),
    lostArea: area(0.5),
    undrainedDumpArea: area(0.5),
  });
  const runners = {
    coins: 0,
    everRunner: null,
    doubledAtEntry: null,
    doubledAnyCoin: null,
    graduationPrecision: null,
    graduationRecall: null,
    dumpShare: null,
  };
  const drained = { cases: 0, low: 0 };
  const figures = { ages: [age('a', 0.9), age('b', 0.7)], bands: [], fates: [], drained, runners };
  expect(headline(figures)).toMatchObject({
    aucDump2min: 0.7,
    aucDump10min: null,
    low2min: 0,
    dumpRateLow2min: 0,
  });
});

test('a scene that misses its figure fails', async () => {
  const scene = scenes.at(-1);
  if (scene === undefined) throw new Error('there is no such scene');
  expect((await playScene({ ...scene, expected: { atLeast: 50 } }, 400)).pass).toBe(false);
});
