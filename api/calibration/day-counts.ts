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
export interface DayCounts {
  /** Takes over stored records. */
  load(records: readonly DayRecord[]): void;
  /** Counts a case that settled in the round at `now`. */
  settle(settled: OpenCase, now: number): void;
  leaveOut(leftOut: LeftOutCase): void;
  /** Returns whether a stored case has been counted before. */
  isCounted(stored: OpenCase): boolean;
  /** Returns the counts of a market, oldest day first. */
  rows(market: CalibrationMarket): CaseCounts[];
  /** Returns the sums over the days, by age and score; kept up to date with each case, so that a call costs nothing. */
  totals(market: CalibrationMarket, rulesVersion: number): readonly CaseTotals[];
  /** Returns the day of the oldest case; null without one. */
  since(market: CalibrationMarket, rulesVersion: number): string | null;
  /** Returns the snapshots that gave no case in a market, by these rules. */
  leftOut(market: CalibrationMarket, rulesVersion: number): LeftOut;
  /** Returns copies of the records that changed since the last call: a round during the write must not change them. */
  takeChanged(): DayRecord[];
  /** Marks the records of these copies as changed again, after a failed write; expired ones are left out. */
  restoreChanged(records: readonly DayRecord[]): void;
  /** Drops records that have expired at `now`. */
  expire(now: number): void;
}

export function createDayCounts(): DayCounts {
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

  return {
    load(stored) {
      for (const record of stored) records.set(record._id, record);
      totals.rebuild(records.values());
    },
    settle(settled, now) {
      const record = recordOf(settled);
      record.settledThrough = Math.max(record.settledThrough, now);
      addCase(countsOf(record.scores, settled.score), settled);
      addCase(totals.of(record, settled.score), settled);
    },
    leaveOut(leftOut) {
      recordOf(leftOut)[leftOut.reason] += 1;
    },
    isCounted: (stored) => stored.settlesAt <= (records.get(idOf(stored))?.settledThrough ?? 0),
    rows: (market) =>
      [...records.values()]
        .filter((record) => record.market === market)
        .sort((a, b) => (a._id < b._id ? -1 : 1))
        .flatMap(({ day, rulesVersion, age, scores }) =>
          scores.map((counts) => ({ day, market, rulesVersion, age, ...counts })),
        ),
    totals: (market, rulesVersion) => totals.list(market, rulesVersion),
    since(market, rulesVersion) {
      let oldest: string | null = null;
      for (const record of records.values()) {
        if (record.market !== market || record.rulesVersion !== rulesVersion || record.scores.length === 0) continue;
        if (oldest === null || record.day < oldest) oldest = record.day;
      }
      return oldest;
    },
    leftOut(market, rulesVersion) {
      const sum: LeftOut = { small: 0, interrupted: 0, incomplete: 0 };
      for (const record of records.values()) {
        if (record.market !== market || record.rulesVersion !== rulesVersion) continue;
        sum.small += record.small;
        sum.interrupted += record.interrupted;
        sum.incomplete += record.incomplete;
      }
      return sum;
    },
    takeChanged() {
      const taken = structuredClone([...changed]);
      changed = new Set();
      return taken;
    },
    restoreChanged(failed) {
      for (const { _id } of failed) {
        const record = records.get(_id);
        if (record !== undefined) changed.add(record);
      }
    },
    expire(now) {
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

  function listOf({ market, rulesVersion }: Pick<Group, 'market' | 'rulesVersion'>): CaseTotals[] {
    const id = `${market} ${rulesVersion}`;
    const known = lists.get(id) ?? [];
    lists.set(id, known);
    return known;
  }

  /** Returns the total of a score, fractions rounded up. */
  function of({ market, rulesVersion, age }: Group, exact: number | null): CaseTotals {
    const list = listOf({ market, rulesVersion });
    const score = roundedUp(exact);
    const known = list.find((total) => total.age === age && total.score === score);
    if (known !== undefined) return known;
    const total: CaseTotals = { market, rulesVersion, age, ...noCases(score) };
    list.push(total);
    return total;
  }

  return {
    of,
    list: (market: CalibrationMarket, rulesVersion: number): readonly CaseTotals[] =>
      lists.get(`${market} ${rulesVersion}`) ?? [],
    rebuild(records: Iterable<DayRecord>): void {
      lists.clear();
      for (const record of records) for (const counts of record.scores) addCounts(of(record, counts.score), counts);
    },
  };
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

/** Returns the counts of a score, fractions rounded up as the bands do. */
function countsOf(scores: ScoreCounts[], exact: number | null): ScoreCounts {
  const score = roundedUp(exact);
  const known = scores.find((counts) => counts.score === score);
  if (known !== undefined) return known;
  const counts = noCases(score);
  scores.push(counts);
  return counts;
}

function roundedUp(exact: number | null): number | null {
  return exact === null ? null : Math.ceil(exact);
}

function noCases(score: number | null): ScoreCounts {
  return {
    score,
    cases: 0,
    lost: 0,
    doubled: 0,
    onCurve: 0,
    graduated: 0,
    runners: 0,
    runnersDoubled: 0,
    runnersOnCurve: 0,
    runnersGraduated: 0,
  };
}

function addCounts(total: ScoreCounts, added: ScoreCounts): void {
  total.cases += added.cases;
  total.lost += added.lost;
  total.doubled += added.doubled;
  total.onCurve += added.onCurve;
  total.graduated += added.graduated;
  total.runners += added.runners;
  total.runnersDoubled += added.runnersDoubled;
  total.runnersOnCurve += added.runnersOnCurve;
  total.runnersGraduated += added.runnersGraduated;
}

function addCase(counts: ScoreCounts, settled: OpenCase): void {
  const doubled = Number(hasDoubled(settled.price, settled.highestPrice));
  const onCurve = Number(settled.stage === 'curve');
  const graduated = Number(settled.graduated);
  counts.cases += 1;
  counts.lost += Number(hasLost(settled.liquidity, settled.lowestLiquidity));
  counts.doubled += doubled;
  counts.onCurve += onCurve;
  counts.graduated += graduated;
  if (!settled.runner) return;
  counts.runners += 1;
  counts.runnersDoubled += doubled;
  counts.runnersOnCurve += onCurve;
  counts.runnersGraduated += graduated;
}
