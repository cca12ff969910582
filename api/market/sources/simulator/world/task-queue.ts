/** Something that happens at a moment of simulated time. */
interface Task {
  /** Epoch ms. */
  at: number;
  order: number;
  run: (at: number) => void;
}

/** Tasks by time, equal times in the order they were added: a binary heap, so that one timer serves every coin. */
export class TaskQueue {
  #heap: Task[] = [];
  #added = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** Time of the earliest task; null when there is none. */
  get nextAt(): number | null {
    return this.#heap[0]?.at ?? null;
  }

  add(at: number, run: (at: number) => void): void {
    this.#heap.push({ at, order: this.#added, run });
    this.#added += 1;
    this.#up(this.#heap.length - 1);
  }

  /** Takes the earliest task out; null when there is none. */
  take(): Task | null {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (!first || !last) return null;
    if (first !== last) {
      this.#heap[0] = last;
      this.#down(0);
    }
    return first;
  }

  /** Moves everything by the same span: the order stays. */
  shift(ms: number): void {
    for (const task of this.#heap) task.at += ms;
  }

  #up(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapWhenEarlier(at, parent)) return;
      at = parent;
    }
  }

  #down(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = right < this.#heap.length && this.#earlier(right, left) ? right : left;
      if (child >= this.#heap.length || !this.#swapWhenEarlier(child, at)) return;
      at = child;
    }
  }

  #earlier(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    return Boolean(a && b && (a.at < b.at || (a.at === b.at && a.order < b.order)));
  }

  #swapWhenEarlier(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    if (!(a && b) || !this.#earlier(one, other)) return false;
    this.#heap[one] = b;
    this.#heap[other] = a;
    return true;
  }
}
