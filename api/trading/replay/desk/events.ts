/** Something that happens at a time of the tape. */
export interface DeskEvent {
  /** Epoch ms. */
  dueAt: number;
  /** Of the attempt: decides between events of the same time. */
  signature: string;
  /** The token whose price has to be in force then. */
  address: string;
  run(): void;
}

/** Creates an empty list of pending events, few at once. */
export function createDeskEvents() {
  const events: DeskEvent[] = [];
  const byAddress = new Map<string, number>();

  function count(address: string, change: 1 | -1): void {
    const next = (byAddress.get(address) ?? 0) + change;
    if (next === 0) byAddress.delete(address);
    else byAddress.set(address, next);
  }

  return {
    add(event: DeskEvent): void {
      events.push(event);
      count(event.address, 1);
    },
    /** Takes the next event before a time (epoch ms) out; null without one. */
    takeBefore(time: number): DeskEvent | null {
      const [first, ...others] = events;
      if (!first) return null;
      const next = others.reduce((one, other) => (isEarlier(other, one) ? other : one), first);
      if (next.dueAt >= time) return null;
      events.splice(events.indexOf(next), 1);
      count(next.address, -1);
      return next;
    },
    /** Returns whether an event of a token is pending. */
    has: (address: string) => byAddress.has(address),
  };
}

export type DeskEvents = ReturnType<typeof createDeskEvents>;

function isEarlier(one: DeskEvent, other: DeskEvent): boolean {
  return one.dueAt === other.dueAt ? one.signature < other.signature : one.dueAt < other.dueAt;
}
