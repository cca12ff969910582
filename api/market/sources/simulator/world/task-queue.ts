/** Scheduled event of the simulation. */
interface Task {
  /** Epoch ms. */
  at: number;
  order: number;
  run: (at: number) => void;
}

/** Queue of tasks by time; tasks of the same time keep their order. One timer serves every coin. */
export interface TaskQueue {
  readonly size: number;
  /** Time of the earliest task; null when empty. */
  readonly nextAt: number | null;
  add(at: number, run: (at: number) => void): void;
  /** Removes and returns the earliest task; null when empty. */
  take(): Task | null;
  /** Moves all tasks by `ms`. */
  shift(ms: number): void;
}

/** Creates a queue on a binary heap. */
export function createTaskQueue(): TaskQueue {
  const heap: Task[] = [];
  let added = 0;
  return {
    get size() {
      return heap.length;
    },
    get nextAt() {
      return heap[0]?.at ?? null;
    },
    add(at, run) {
      heap.push({ at, order: added, run });
      added += 1;
      siftUp(heap, heap.length - 1);
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (!first || !last) return null;
      if (first !== last) {
        heap[0] = last;
        siftDown(heap, 0);
      }
      return first;
    },
    shift(ms) {
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
