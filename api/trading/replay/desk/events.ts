/** Something that happens at a time of the tape. */
export interface DeskEvent {
  /** Epoch ms. */
  at: number;
  /** Decides between those at the same time: as an executor does, by signature. */
  name: string;
  /** The token whose price has to be in force then. */
  address: string;
  run(): void;
}

/** Events that are to come, few at once. */
export interface DeskEvents {
  add(event: DeskEvent): void;
  /** Takes the next event before a time (epoch ms) out; null without one. */
  takeBefore(time: number): DeskEvent | null;
  /** Returns whether an event of a token is to come. */
  has(address: string): boolean;
}

export function createDeskEvents(): DeskEvents {
  const events: DeskEvent[] = [];
  const byAddress = new Map<string, number>();

  function count(address: string, change: 1 | -1): void {
    const next = (byAddress.get(address) ?? 0) + change;
    if (next === 0) byAddress.delete(address);
    else byAddress.set(address, next);
  }

  return {
    add(event) {
      events.push(event);
      count(event.address, 1);
    },
    takeBefore(time) {
      const [first, ...others] = events;
      if (!first) return null;
      const next = others.reduce((one, other) => (isBefore(other, one) ? other : one), first);
      if (next.at >= time) return null;
      events.splice(events.indexOf(next), 1);
      count(next.address, -1);
      return next;
    },
    has: (address) => byAddress.has(address),
  };
}

function isBefore(one: DeskEvent, other: DeskEvent): boolean {
  return one.at < other.at || (one.at === other.at && one.name < other.name);
}
