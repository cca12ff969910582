import type { CalibrationMarket, CaseCounts, CaseTotals, LeftOut } from '../../common/calibration/model.ts';
import { hasDoubled, hasLost } from '../../common/calibration/rules.ts';
import { DAY } from '../../common/time.ts';
import type { LeftOutCase, OpenCase } from './case.ts';

/** Time for which counts are kept after their day, ms. */
export const RETENTION = 90 * DAY;

/** Counts of one score. */
export type ScoreCounts = Omit<CaseCounts, 'day' | 'market' | 'rulesVersion' | 'age'>;

/** Settled cases of one day, market, version of the rules and age: a document of `calibrationdays`. It names no coin. */
export interface DayRecord extends Pick<CaseCounts, 'day' | 'market' | 'rulesVersion' | 'age'>, LeftOut {
  /** `<day> <market> <rulesVersion> <age>`. */
  _id: string;
  scores: ScoreCounts[];
  /** Cases that settle up to this time (epoch ms) are counted: a case found in storage later must not count twice. */
  settledThrough: number;
  expiresAt: Date;
}

type Identity = Pick<OpenCase, 'market' | 'rulesVersion' | 'age' | 'takenAt'>;

/** Counts of settled cases by day, all in memory: a few hundred small records, bounded by their retention. */
export type DayCounts = ReturnType<typeof createDayCounts>;

export function createDayCounts() {
  const records = new Map<string, DayRecord>();
  const totals = createTotals();
  let changed = new Set<DayRecord>();

  function recordOf(identity: Identity): DayRecord {
    const id = idOf(identity);
    const known = records.get(id) ?? emptyRecord(identity);
    records.set(id, known);
    changed.add(known);
    return known;
  }

  const ofRules = (market: CalibrationMarket, rulesVersion: number) =>
    [...records.values()].filter((record) => record.market === market && record.rulesVersion === rulesVersion);

  return {
    /** Takes over stored records. */
    load(stored: readonly DayRecord[]): void {
      for (const record of stored) records.set(record._id, record);
      totals.rebuild(records.values());
    },
    /** Counts a case that settled in the round at `now`. */
    settle(settled: OpenCase, now: number): void {
      const record = recordOf(settled);
      record.settledThrough = Math.max(record.settledThrough, now);
      const counts = countsOf(settled);
      addTo(record.scores, counts);
      totals.add(record, counts);
    },
    leaveOut(leftOut: LeftOutCase): void {
      recordOf(leftOut)[leftOut.reason] += 1;
    },
    /** Returns whether a stored case has been counted before. */
    isCounted: (stored: OpenCase): boolean => stored.settlesAt <= (records.get(idOf(stored))?.settledThrough ?? 0),
    /** Returns the counts of a market, oldest day first. */
    rows: (market: CalibrationMarket): CaseCounts[] =>
      [...records.values()]
        .filter((record) => record.market === market)
        .sort((a, b) => (a._id < b._id ? -1 : 1))
        .flatMap(({ day, rulesVersion, age, scores }) =>
          scores.map((counts) => ({ day, market, rulesVersion, age, ...counts })),
        ),
    /** Returns the sums over the days, by age and score; kept up to date with each case, so that a call costs nothing. */
    totals: (market: CalibrationMarket, rulesVersion: number): readonly CaseTotals[] =>
      totals.list(market, rulesVersion),
    /** Returns the day of the oldest case; null without one. */
    since(market: CalibrationMarket, rulesVersion: number): string | null {
      const days = ofRules(market, rulesVersion).flatMap(({ day, scores }) => (scores.length > 0 ? day : []));
      return days.sort()[0] ?? null;
    },
    /** Returns the snapshots that gave no case in a market, by these rules. */
    leftOut(market: CalibrationMarket, rulesVersion: number): LeftOut {
      return sumOfLeftOut(ofRules(market, rulesVersion));
    },
    /** Returns copies of the records that changed since the last call: a round during the write must not change them. */
    takeChanged(): DayRecord[] {
      const taken = structuredClone([...changed]);
      changed = new Set();
      return taken;
    },
    /** Marks the records of these copies as changed again, after a failed write; expired ones are left out. */
    restoreChanged(failed: readonly DayRecord[]): void {
      for (const { _id } of failed) {
        const record = records.get(_id);
        if (record !== undefined) changed.add(record);
      }
    },
    /** Drops records that have expired at `now`. */
    expire(now: number): void {
      const before = records.size;
      for (const [id, { expiresAt }] of records) if (expiresAt.getTime() <= now) records.delete(id);
      if (records.size < before) totals.rebuild(records.values());
    },
  };
}

type Group = Pick<CaseTotals, 'market' | 'rulesVersion' | 'age'>;

/** Sums over the days. At most 404 (ages × scores) for each market and version. */
function createTotals() {
  const lists = new Map<string, CaseTotals[]>();

  /** Adds counts to the total of their score, fractions rounded up. */
  function add({ market, rulesVersion, age }: Group, counts: ScoreCounts): void {
    const id = `${market} ${rulesVersion}`;
    const list = lists.get(id) ?? [];
    lists.set(id, list);
    addTo(list, { market, rulesVersion, age, ...counts, score: roundedUp(counts.score) });
  }

  return {
    add,
    list: (market: CalibrationMarket, rulesVersion: number): readonly CaseTotals[] =>
      lists.get(`${market} ${rulesVersion}`) ?? [],
    rebuild(records: Iterable<DayRecord>): void {
      lists.clear();
      for (const record of records) for (const counts of record.scores) add(record, counts);
    },
  };
}

function sumOfLeftOut(records: readonly LeftOut[]): LeftOut {
  const sum: LeftOut = { small: 0, interrupted: 0, incomplete: 0 };
  for (const { small, interrupted, incomplete } of records) {
    sum.small += small;
    sum.interrupted += interrupted;
    sum.incomplete += incomplete;
  }
  return sum;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function idOf({ takenAt, market, rulesVersion, age }: Identity): string {
  return `${dayOf(takenAt)} ${market} ${rulesVersion} ${age}`;
}

function emptyRecord(identity: Identity): DayRecord {
  const { market, rulesVersion, age, takenAt } = identity;
  return {
    _id: idOf(identity),
    day: dayOf(takenAt),
    market,
    rulesVersion,
    age,
    scores: [],
    small: 0,
    interrupted: 0,
    incomplete: 0,
    settledThrough: 0,
    expiresAt: new Date((Math.floor(takenAt / DAY) + 1) * DAY + RETENTION),
  };
}

const countKeys = [
  'cases',
  'lost',
  'doubled',
  'onCurve',
  'graduated',
  'runners',
  'runnersDoubled',
  'runnersOnCurve',
  'runnersGraduated',
] as const satisfies readonly (keyof ScoreCounts)[];

/** Adds counts to those of the same age and score in a list, where it has some. */
function addTo<Counts extends ScoreCounts & { age?: number }>(list: Counts[], added: Counts): void {
  const known: ScoreCounts | undefined = list.find(({ age, score }) => age === added.age && score === added.score);
  if (known === undefined) list.push({ ...added });
  else for (const key of countKeys) known[key] += added[key];
}

/** Returns the counts of one settled case, with the score rounded up as the bands do. */
function countsOf(settled: OpenCase): ScoreCounts {
  const doubled = Number(hasDoubled(settled.price, settled.highestPrice));
  const onCurve = Number(settled.stage === 'curve');
  const graduated = Number(settled.graduated);
  const runners = Number(settled.runner);
  return {
    score: roundedUp(settled.score),
    cases: 1,
    lost: Number(hasLost(settled.liquidity, settled.lowestLiquidity)),
    doubled,
    onCurve,
    graduated,
    runners,
    runnersDoubled: runners * doubled,
    runnersOnCurve: runners * onCurve,
    runnersGraduated: runners * graduated,
  };
}

function roundedUp(exact: number | null): number | null {
  return exact === null ? null : Math.ceil(exact);
}
