import type { CalibrationMarket, CaseCounts, LeftOut } from '../../common/calibration/model.ts';
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
    },
    settle(settled, now) {
      const record = recordOf(settled);
      record.settledThrough = Math.max(record.settledThrough, now);
      addCase(countsOf(record, settled.score), settled);
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
      for (const [id, { expiresAt }] of records) if (expiresAt.getTime() <= now) records.delete(id);
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
function countsOf(record: DayRecord, exact: number | null): ScoreCounts {
  const score = exact === null ? null : Math.ceil(exact);
  const known = record.scores.find((counts) => counts.score === score);
  if (known !== undefined) return known;
  const counts: ScoreCounts = {
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
  record.scores.push(counts);
  return counts;
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
