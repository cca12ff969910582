import type { RiskFactor, Stage } from '../model.ts';
import type { Fact, RiskFacts } from './facts.ts';

type Key = keyof RiskFacts;
type Value<K extends Key> = NonNullable<RiskFacts[K]>['value'];

/** One check of the risk score, applicable to any token. */
export interface RiskCheck {
  readonly id: Key;
  readonly maxPoints: number;
  /** Returns whether the check applies to a coin at this stage. */
  applies(stage: Stage): boolean;
  /** Returns points 0–maxPoints; null when the fact is unknown. */
  points(facts: RiskFacts): number | null;
  /** Returns whether the fact alone lifts the score to the hard floor. */
  isHard(facts: RiskFacts): boolean;
  describe(facts: RiskFacts): RiskFactor;
}

/** Definition of one check. */
export interface CheckRule<K extends Key> {
  label: string;
  maxPoints: number;
  points(value: Value<K>): number;
  hard?(value: Value<K>): boolean;
  evidence(value: Value<K>): string;
  unknown: string;
  onlyInPool?: true;
}

/** Returns the check of a rule. Unknown facts give no points and stay distinct from clear ones. */
export function check<K extends Key>(id: K, rule: CheckRule<K>): RiskCheck {
  // Indexing a mapped type by a type parameter loses the link between key and value, so it is asserted once here.
  const read = (facts: RiskFacts): Fact<Value<K>> | null => facts[id] as Fact<Value<K>> | null;
  const isHard = (facts: RiskFacts) => {
    const fact = read(facts);
    return fact !== null && (rule.hard?.(fact.value) ?? false);
  };
  return {
    id,
    maxPoints: rule.maxPoints,
    applies: (stage) => rule.onlyInPool === undefined || stage === 'pool',
    points: (facts) => {
      const fact = read(facts);
      return fact === null ? null : rule.points(fact.value);
    },
    isHard,
    describe: (facts) => {
      const fact = read(facts);
      const shared = { id, label: rule.label, maxPoints: rule.maxPoints };
      if (fact === null) {
        return {
          ...shared,
          state: 'unknown',
          points: 0,
          evidence: rule.unknown,
          source: null,
          readAt: null,
          hard: false,
        };
      }
      const points = rule.points(fact.value);
      const hard = isHard(facts);
      return {
        ...shared,
        state: points > 0 || hard ? 'risk' : 'clear',
        points,
        evidence: rule.evidence(fact.value),
        source: fact.source,
        readAt: new Date(fact.at).toISOString(),
        hard,
      };
    },
  };
}
