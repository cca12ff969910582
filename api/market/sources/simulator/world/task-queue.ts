/** Scheduled event of the simulation. */
interface Task {
  /** Epoch ms. */
  at: number;
  order: number;
  run: (at: number) => void;
}

/** Queue of tasks by time; tasks of the same time keep their order. One timer serves every coin. */
export type TaskQueue = ReturnType<typeof createTaskQueue>;

/** Creates a queue on a binary heap. */
export function createTaskQueue() {
  const heap: Task[] = [];
  let added = 0;
  return {
    get size(): number {
      return heap.length;
    },
    /** Time of the earliest task; null when empty. */
    get nextAt(): number | null {
      return heap[0]?.at ?? null;
    },
    add(at: number, run: (at: number) => void): void {
      heap.push({ at, order: added, run });
      added += 1;
      siftUp(heap, heap.length - 1);
    },
    /** Removes and returns the earliest task; null when empty. */
    take(): Task | null {
      const first = heap[0];
      const last = heap.pop();
      if (!first || !last) return null;
      if (first !== last) {
        heap[0] = last;
        siftDown(heap, 0);
      }
      return first;
    },
    /** Moves all tasks by `ms`. */
    shift(ms: number): void {
      for (const task of heap) task.at += ms;
    },
  };
}

function siftUp(heap: Task[], from: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!swapIfEarlier(heap, at, parent)) return;
    at = parent;
  }
}

function siftDown(heap: Task[], from: number): void {
  let at = from;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const child = right < heap.length && isEarlier(heap, right, left) ? right : left;
    if (child >= heap.length || !swapIfEarlier(heap, child, at)) return;
    at = child;
  }
}

function isEarlier(heap: readonly Task[], one: number, other: number): boolean {
  const a = heap[one];
  const b = heap[other];
  return Boolean(a && b && (a.at < b.at || (a.at === b.at && a.order < b.order)));
}

function swapIfEarlier(heap: Task[], one: number, other: number): boolean {
  const a = heap[one];
  const b = heap[other];
  if (!(a && b) || !isEarlier(heap, one, other)) return false;
  heap[one] = b;
  heap[other] = a;
  return true;
}
