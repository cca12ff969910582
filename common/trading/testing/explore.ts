/** A finite system of states and steps, with the rules that hold in each state. */
export interface Model<State> {
  start: State;
  /** Returns every state that one step leads to. */
  next(state: State): State[];
  /** Returns a text that equal states share. */
  keyOf(state: State): string;
  /** Returns the broken promise of a state, or null. */
  problemOf(state: State): string | null;
  /** Returns whether the state is an end. */
  isEnd(state: State): boolean;
}

/** `problem` is the first one found, and ends the search. `stuck`: states from which no end can be reached. */
export interface Exploration {
  states: number;
  problem: string | null;
  stuck: number;
}

/** Visits every reachable state, in the order of the fewest steps. */
export function explore<State>({ start, next, keyOf, problemOf, isEnd }: Model<State>): Exploration {
  const states = [start];
  const numbers = new Map([[keyOf(start), 0]]);
  /** By number of a state, the states that lead to it. */
  const previous: number[][] = [[]];
  for (let from = 0; from < states.length; from += 1) {
    const state = states[from];
    if (state === undefined) break;
    for (const reached of next(state)) {
      const key = keyOf(reached);
      const known = numbers.get(key);
      if (known !== undefined) {
        previous[known]?.push(from);
        continue;
      }
      numbers.set(key, states.length);
      states.push(reached);
      previous.push([from]);
      const problem = problemOf(reached);
      if (problem !== null) return { states: states.length, problem, stuck: 0 };
    }
  }
  const ends = states.flatMap((state, number) => (isEnd(state) ? [number] : []));
  return { states: states.length, problem: null, stuck: states.length - reachableBackwards(ends, previous) };
}

/** Returns the number of states from which one of the ends can be reached. */
function reachableBackwards(ends: readonly number[], previous: readonly (readonly number[])[]): number {
  const reached = new Set(ends);
  const pending = [...ends];
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    for (const before of previous[number] ?? []) {
      if (reached.has(before)) continue;
      reached.add(before);
      pending.push(before);
    }
  }
  return reached.size;
}
