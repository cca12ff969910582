import { randomUUID } from 'node:crypto';
import { openChannel, type Redis } from '../../realtime/redis.ts';
import { createEventBus, type EventBus, type OnEventError } from './bus.ts';
import { type DomainEventName, type DomainEvents, isShared } from './events.ts';

/** An event on the channel. `from`: the process that emitted it. */
type Sent = {
  [Name in DomainEventName]: { from: string; name: Name; payload: DomainEvents[Name] };
}[DomainEventName];

/**
 * Creates the bus of one of several processes. Handlers of this process run within `emit`, those of the others when a shared event
 * arrives over the channel `name`. Shared events may be lost while Redis is away: they only wake a process earlier than its next look at the database.
 */
export function createRedisBus(deps: { redis: Redis; name: string; onError: OnEventError }) {
  const all = createEventBus(deps.onError);
  const own = createEventBus(deps.onError);
  const self = randomUUID();
  const channel = openChannel(deps.redis, deps.name, {
    message(text) {
      const sent: Sent = JSON.parse(text);
      if (sent.from !== self) all.emit(sent.name, sent.payload);
    },
    lost() {},
  });

  const bus: EventBus = {
    emit(name, payload) {
      all.emit(name, payload);
      own.emit(name, payload);
      if (isShared(name)) channel.publish(JSON.stringify({ from: self, name, payload }));
    },
    on: all.on,
    hasSubscribers: (name) => isShared(name) || all.hasSubscribers(name) || own.hasSubscribers(name),
    async settled() {
      await Promise.all([all.settled(), own.settled()]);
    },
  };
  return {
    bus,
    /** The events that this process has emitted, for handlers that must run once for all processes. */
    own: { on: own.on },
    /** Resolves when events of other processes arrive. */
    subscribed: channel.subscribed,
    close: channel.close,
  };
}
