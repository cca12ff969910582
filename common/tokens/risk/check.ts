import type { RiskFactor, Stage } from '../model.ts';
import type { Fact, RiskFacts } from './facts.ts';
import type { CheckId } from './reason.ts';

/** Context that decides which checks apply. */
export interface RiskContext {
  stage: Stage;
  /** True for a coin whose launchpad gives every coin the same mint and curve, see `isStandardLaunch`. */
  standard: boolean;
}

/** Launchpads whose program revokes both authorities, adds no extension, and burns the LP of the pool. */
const STANDARD_LAUNCHPADS: ReadonlySet<string> = new Set(['pump.fun', 'simulator']);

/** Returns whether a coin is a standard one: in mayhem mode other parties may mint the coin. `mayhem` is null while unknown. */
export function isStandardLaunch(launchpad: string, mayhem: boolean | null): boolean {
  return mayhem === false && STANDARD_LAUNCHPADS.has(launchpad);
}

/** One check of the risk score, applicable to any token. */
export type RiskCheck = ReturnType<typeof check>;

/** Definition of one check. */
export interface CheckRule<Value> {
  label: string;
  maxPoints: number;
  /** Returns the fact that the check judges; null when unknown. */
  fact(facts: RiskFacts): Fact<Value> | null;
  points(value: Value): number;
  hard?(value: Value): boolean;
  evidence(value: Value): string;
  unknown: string;
  /** Whether the check applies; absent: always. */
  applies?(context: RiskContext): boolean;
  /** True for the judgement of a service that may be off: while it is unknown, the check does not apply. */
  optional?: true;
  /** True when the launchpad's program rules the finding out for its standard coins. */
  guaranteed?: true;
}

/** Returns the check of a rule. Unknown facts give no points and stay distinct from clear ones. */
export function check<Value>(id: CheckId, rule: CheckRule<Value>) {
  const { label, maxPoints } = rule;
  const read = (facts: RiskFacts): Fact<Value> | null => rule.fact(facts);

  /** Returns points 0–maxPoints; null when the fact is unknown. */
  function points(facts: RiskFacts): number | null {
    const fact = read(facts);
    return fact === null ? null : rule.points(fact.value);
  }

  /** Returns whether the fact alone lifts the score to the hard floor. */
  function isHard(facts: RiskFacts): boolean {
    const fact = read(facts);
    return fact !== null && (rule.hard?.(fact.value) ?? false);
  }

  /** Returns whether the check is clear for every standard coin, so that it counts neither for the score nor for the coverage. */
  function isStandard(facts: RiskFacts, context: RiskContext): boolean {
    return rule.guaranteed === true && context.standard && (points(facts) ?? 0) === 0 && !isHard(facts);
  }

  return {
    id,
    label,
    maxPoints,
    points,
    isHard,
    isStandard,
    /** Returns whether the check applies to a coin. */
    applies: (context: RiskContext, facts: RiskFacts): boolean =>
      (rule.applies?.(context) ?? true) && (rule.optional === undefined || read(facts) !== null),
    describe(facts: RiskFacts, context: RiskContext): RiskFactor {
      const shared = { id, label, maxPoints, standard: isStandard(facts, context) };
      const fact = read(facts);
      return fact === null ? describeUnknown(shared, rule.unknown) : describeKnown(shared, rule, fact);
    },
  };
}

type Shared = Pick<RiskFactor, 'id' | 'label' | 'maxPoints' | 'standard'>;

function describeUnknown(shared: Shared, unknown: string): RiskFactor {
  const evidence = shared.standard ? 'The launchpad guarantees this for its standard coins.' : unknown;
  const state = shared.standard ? 'clear' : 'unknown';
  return { ...shared, state, points: 0, evidence, source: null, readAt: null, hard: false };
}

function describeKnown<Value>(shared: Shared, rule: CheckRule<Value>, fact: Fact<Value>): RiskFactor {
  const points = rule.points(fact.value);
  const hard = rule.hard?.(fact.value) ?? false;
  return {
    ...shared,
    state: points > 0 || hard ? 'risk' : 'clear',
    points,
    evidence: rule.evidence(fact.value),
    source: fact.source,
    readAt: new Date(fact.at).toISOString(),
    hard,
  };
}
