import { byDue } from '../../paper/paper-look.ts';

/** Something that happens at a time of the tape. */
export interface DeskEvent {
  /** Epoch ms. */
  dueAt: number;
  /** Decides between events of the same time. Without an attempt: the order's id, or empty. */
  signature: string;
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
      const next = others.reduce((one, other) => (byDue(other, one) < 0 ? other : one), first);
      if (next.dueAt >= time) return null;
      events.splice(events.indexOf(next), 1);
      count(next.address, -1);
      return next;
    },
    has: (address) => byAddress.has(address),
  };
}
