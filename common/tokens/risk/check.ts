import type { RiskFactor, Stage } from '../model.ts';
import type { Fact, RiskFacts } from './facts.ts';

type Key = keyof RiskFacts;
type Value<K extends Key> = NonNullable<RiskFacts[K]>['value'];

/** One check of the score, ready to be asked about any token. */
export interface RiskCheck {
  readonly id: Key;
  readonly maxPoints: number;
  /** Whether the check says anything about a coin at this stage. */
  applies(stage: Stage): boolean;
  /** Points 0–maxPoints for what is known, null when it is not known. */
  points(facts: RiskFacts): number | null;
  /** Whether the fact alone lifts the score to the hard floor. */
  isHard(facts: RiskFacts): boolean;
  describe(facts: RiskFacts): RiskFactor;
}

/** What makes one check different from the others. */
export interface CheckRule<K extends Key> {
  label: string;
  maxPoints: number;
  points(value: Value<K>): number;
  hard?(value: Value<K>): boolean;
  evidence(value: Value<K>): string;
  unknown: string;
  onlyInPool?: true;
}

/** Makes a check of its rule: unknown facts give no points, and are told apart from clear ones. */
export function check<K extends Key>(id: K, rule: CheckRule<K>): RiskCheck {
  // Indexing a mapped type by a type parameter loses the link between key and value, so it is stated once here.
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
