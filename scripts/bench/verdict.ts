/**
 * `npm run bench:verdict`: how well the risk score and the runner list foresee the fates of simulated coins, beside
 * a control that scores all coins alike. `--slot-ms` is the length of a slot of the market, 200 by default. Prints tables to stderr and one JSON line to stdout. `--quick` is a short run.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../../api/market/sources/simulator/random.ts';
import { verdictFigures, withEqualScores } from './verdict/figures.ts';
import { reportLine, reportText } from './verdict/report.ts';
import { type MarketRun, runMarket } from './verdict/run-market.ts';
import { playScene, type SceneResult, scenes } from './verdict/scenes.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Coins of each seed. */
    coins: { type: 'string' },
    /** Comma list. */
    seeds: { type: 'string', default: 'm1,m2,m3' },
    'slot-ms': { type: 'string', default: '200' },
  },
});
const coins = Number(values.coins ?? (values.quick ? 600 : 3_000));
if (!Number.isSafeInteger(coins) || coins < 1) throw new Error('--coins takes a number of coins');

const slotMs = Number(values['slot-ms']);
if (!(slotMs > 0)) throw new Error('--slot-ms takes a length in ms');

const runs: MarketRun[] = [];
for (const seed of values.seeds.split(',')) {
  const startedAt = performance.now();
  const run = await runMarket(seed, coins, slotMs);
  runs.push(run);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.error(`seed ${seed}: ${run.coins} coins, ${run.observations} observations, ${seconds} s`);
}
const played: SceneResult[] = [];
for (const scene of scenes) played.push(await playScene(scene, slotMs));

const figures = verdictFigures(runs, seededRandom('bootstrap'));
const control = verdictFigures(runs.map(withEqualScores), seededRandom('bootstrap'));
const line = reportLine(runs, figures, control, played);
console.error(`\n${reportText(figures, played)}`);
console.log(JSON.stringify({ ...line, slotMs, quick: values.quick }));
if (!line.ok) process.exitCode = 1;
