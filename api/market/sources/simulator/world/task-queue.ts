import { createHeap } from '../../../../../common/sorted.ts';

/** Scheduled event of the simulation. */
interface Task {
  /** Epoch ms. */
  at: number;
  order: number;
  run: (at: number) => void;
}

/** Queue of tasks by time; tasks of the same time keep their order. One timer serves every coin. */
export type TaskQueue = ReturnType<typeof createTaskQueue>;

export function createTaskQueue() {
  const tasks = createHeap<Task>((a, b) => a.at - b.at || a.order - b.order);
  let added = 0;
  return {
    get size(): number {
      return tasks.items().length;
    },
    /** Time of the earliest task; null when empty. */
    get nextAt(): number | null {
      return tasks.first()?.at ?? null;
    },
    add(at: number, run: (at: number) => void): void {
      tasks.add({ at, order: added, run });
      added += 1;
    },
    /** Removes and returns the earliest task; null when empty. */
    take: (): Task | null => tasks.take() ?? null,
    /** Moves all tasks by `ms`. */
    shift(ms: number): void {
      for (const task of tasks.items()) task.at += ms;
    },
  };
}
