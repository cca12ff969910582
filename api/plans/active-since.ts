/** Fields that make a rule or a strategy a plan that buys. */
export interface PlanSwitch {
  isActive: boolean;
  /** A plan considers tokens that are detected from then on, epoch ms. Missing in a plan that was never active. */
  activeSince?: number;
}

/**
 * Returns the change of `activeSince` that follows from saving a plan: now, when it is switched on, and when one of `deciding`, its
 * conditions and limits, changes while it is on. Thus no change makes a plan buy tokens that are known already.
 */
export function activeSinceAfter<Fields extends PlanSwitch>(
  before: Fields | null,
  saved: { [Name in keyof Fields]?: Fields[Name] | undefined },
  deciding: readonly (keyof Fields)[],
  now: number,
): Pick<PlanSwitch, 'activeSince'> {
  const isActive = saved.isActive ?? before?.isActive ?? false;
  if (!isActive) return {};
  const isAsBefore =
    before?.isActive === true &&
    deciding.every((field) => saved[field] === undefined || isSame(before[field], saved[field]));
  return isAsBefore ? {} : { activeSince: now };
}

/** Compares stored values; objects by their fields, in any order. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(Reflect.get(one, name), Reflect.get(other, name)));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
