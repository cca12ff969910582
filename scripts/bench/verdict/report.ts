import type { Estimate } from '../../../common/calibration/statistics.ts';
import { MINUTE, SECOND } from '../../../common/time.ts';
import type { AgeFigures, RunnerFigures, VerdictFigures } from './figures.ts';
import { AGES, type MarketRun } from './run-market.ts';
import type { SceneResult } from './scenes.ts';

/** The required figures. */
const BARS = {
  aucDump2min: 0.8,
  aucDump10min: 0.88,
  drainedLow: 0,
  dumpRateLow2min: 0.1,
  dumpRateLow10min: 0.1,
  runnerLift: 2.5,
  everRunner: 0.15,
} as const;

const [, TWO_MINUTES, TEN_MINUTES] = AGES;

/** The headline figures of a score. null: no seed had cases of both kinds. */
interface Headline {
  /** Lowest of the seeds. */
  aucDump2min: number | null;
  aucDump10min: number | null;
  /** Drained coins called Low, of all seeds and ages. */
  drainedLow: number;
  /** Share 0–1 of the coins called Low that their insiders dumped, and the number of those coins; 0 without such a coin. */
  dumpRateLow2min: number;
  low2min: number;
  dumpRateLow10min: number;
  low10min: number;
}

export function headline({ ages, bands, drained }: VerdictFigures): Headline {
  const lowAt = (age: number) => bands.find((one) => one.age === age && one.band === 'Low Risk');
  return {
    aucDump2min: lowest(ages, TWO_MINUTES),
    aucDump10min: lowest(ages, TEN_MINUTES),
    drainedLow: drained.low,
    dumpRateLow2min: rounded(lowAt(TWO_MINUTES)?.dumpRate?.value) ?? 0,
    low2min: lowAt(TWO_MINUTES)?.cases ?? 0,
    dumpRateLow10min: rounded(lowAt(TEN_MINUTES)?.dumpRate?.value) ?? 0,
    low10min: lowAt(TEN_MINUTES)?.cases ?? 0,
  };
}

function lowest(ages: readonly AgeFigures[], age: number): number | null {
  const areas = ages.filter((one) => one.age === age).flatMap(({ dumpArea }) => dumpArea?.value ?? []);
  return areas.length === 0 ? null : rounded(Math.min(...areas));
}

function scoreBars(score: Headline) {
  return {
    aucDump2min: (score.aucDump2min ?? 0) >= BARS.aucDump2min,
    aucDump10min: (score.aucDump10min ?? 0) >= BARS.aucDump10min,
    drainedLow: score.drainedLow <= BARS.drainedLow,
    dumpRateLow2min: score.dumpRateLow2min <= BARS.dumpRateLow2min,
    // A score that calls no coin Low would meet the bar of 2 min without a merit: few coins have earned it by then.
    dumpRateLow10min: score.low10min > 0 && score.dumpRateLow10min <= BARS.dumpRateLow10min,
  };
}

/**
 * Returns the JSON line of a bench run: headline, control, runners, scenes, and whether each bar is met. The control has to miss
 * every bar of the score.
 */
export function reportLine(
  runs: readonly MarketRun[],
  figures: VerdictFigures,
  controlFigures: VerdictFigures,
  scenes: readonly SceneResult[],
) {
  const product = headline(figures);
  const control = headline(controlFigures);
  const { runners } = figures;
  const lift = liftOf(runners);
  const pass = {
    ...scoreBars(product),
    controlFails: Object.values(scoreBars(control)).every((isMet) => !isMet),
    runnerLift: (lift ?? 0) >= BARS.runnerLift,
    everRunner: (runners.everRunner?.value ?? 1) <= BARS.everRunner,
    scenes: scenes.every((scene) => scene.pass),
  };
  return {
    bench: 'verdict',
    seeds: runs.map(({ seed }) => seed),
    coins: runners.coins,
    ...product,
    control,
    drained: figures.drained.cases,
    runners: {
      ever: rounded(runners.everRunner?.value),
      doubledAtEntry: rounded(runners.doubledAtEntry?.value),
      doubledAnyCoin: rounded(runners.doubledAnyCoin?.value),
      lift: rounded(lift),
      graduationPrecision: rounded(runners.graduationPrecision?.value),
      graduationRecall: rounded(runners.graduationRecall?.value),
    },
    scenes,
    bars: BARS,
    pass,
    ok: Object.values(pass).every(Boolean),
  };
}

function liftOf({ doubledAtEntry, doubledAnyCoin }: RunnerFigures): number | null {
  if (doubledAtEntry === null || doubledAnyCoin === null || doubledAnyCoin.value === 0) return null;
  return doubledAtEntry.value / doubledAnyCoin.value;
}

/** Returns the figures as text tables, with 95 % intervals. */
export function reportText(figures: VerdictFigures, scenes: readonly SceneResult[]): string {
  const { runners, drained } = figures;
  return [
    'AUC (unknown ranks between Low and Medium; coins with at least 0.5 SOL in the curve)',
    table(
      ['seed', 'age', 'coins', 'dumps', 'dumped by insiders', 'the same, not yet drained', 'lost 80 % within 1 h'],
      figures.ages.map((one) => [
        one.seed,
        ageText(one.age),
        String(one.cases),
        String(one.dumps),
        areaText(one.dumpArea),
        areaText(one.undrainedDumpArea),
        areaText(one.lostArea),
      ]),
    ),
    'Bands, all seeds',
    table(
      ['age', 'band', 'coins', 'dumped by insiders', 'lost 80 % within 1 h'],
      figures.bands.map((one) => [
        ageText(one.age),
        one.band,
        String(one.cases),
        shareText(one.dumpRate),
        shareText(one.lostRate),
      ]),
    ),
    'Bands by fate; labelled as a rug, of those that ever had 1 SOL',
    table(
      ['age', 'fate', 'coins', 'Low', 'Medium', 'High', 'Unknown', 'labelled as a rug'],
      figures.fates.map(({ age, fate, cases, bands, rugged }) => [
        ageText(age),
        fate,
        String(cases),
        ...(['Low Risk', 'Medium Risk', 'High Risk', 'Unknown'] as const).map((band) => String(bands[band])),
        shareText(rugged),
      ]),
    ),
    `Drained at a snapshot: ${drained.cases}; called Low: ${drained.low}\n`,
    'Runners, all seeds',
    table(
      ['figure', 'value'],
      [
        ['ever a runner, of all coins', shareText(runners.everRunner)],
        ['at least doubled within 1 h of entering', shareText(runners.doubledAtEntry)],
        ['any coin, within 1 h of its fifth second', shareText(runners.doubledAnyCoin)],
        ['graduated, of the runners', shareText(runners.graduationPrecision)],
        ['runners, of the graduates', shareText(runners.graduationRecall)],
        ['dumped by insiders, of the runners', runners.dumpShare === null ? '–' : percentText(runners.dumpShare)],
      ],
    ),
    'Scenes: score before → after the exit',
    table(
      ['scene', 'score', 'runner', 'met'],
      scenes.map((one) => [
        one.name,
        `${scoreText(one.before)} → ${scoreText(one.after)}`,
        one.wasRunner ? 'yes' : 'no',
        one.pass ? 'yes' : 'NO',
      ]),
    ),
  ].join('\n');
}

/** Returns rows in columns of equal width. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return `${[header, ...rows].map(line).join('\n')}\n`;
}

const rounded = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 1_000) / 1_000;
const ageText = (age: number): string => (age < MINUTE ? `${age / SECOND} s` : `${age / MINUTE} min`);
const percentText = (share: number): string => `${(share * 100).toFixed(1)} %`;
const scoreText = (score: number | null): string => (score === null ? 'unknown' : String(score));

function areaText(area: Estimate | null): string {
  return area === null ? '–' : `${area.value.toFixed(3)} [${area.low.toFixed(3)}, ${area.high.toFixed(3)}]`;
}

function shareText(share: Estimate | null): string {
  if (share === null) return '–';
  return `${percentText(share.value)} [${(share.low * 100).toFixed(1)}, ${(share.high * 100).toFixed(1)}]`;
}
