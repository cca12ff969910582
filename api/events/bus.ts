import type { DomainEventName, DomainEvents } from './events.ts';

type Handler<Name extends DomainEventName> = (payload: DomainEvents[Name]) => void | Promise<void>;
type Handlers = { [Name in DomainEventName]?: Set<Handler<Name>> };

/**
 * Delivers domain events from the subject that changed to its subscribers, in the order in which they were emitted.
 * The contract (`bus.contract.ts`) also fits a bus between processes: an event may arrive after `emit` has returned, and
 * a subscriber must not change its payload.
 */
export interface EventBus {
  /** Hands an event to every subscriber. Never throws and does not wait for them. */
  emit<Name extends DomainEventName>(name: Name, payload: DomainEvents[Name]): void;
  /** Subscribes to an event. Returns the function that ends the subscription. */
  on<Name extends DomainEventName>(name: Name, handler: Handler<Name>): () => void;
  /** Returns false when nothing subscribes to the event, so that its payload need not be built. A bus between processes returns true. */
  hasSubscribers(name: DomainEventName): boolean;
  /** Resolves when every event emitted so far has been handled, asynchronous handlers included. */
  settled(): Promise<void>;
}

/** Subscribing only: what most subjects get. */
export type EventSource = Pick<EventBus, 'on'>;
/** Emitting only. */
export type EventSink = Pick<EventBus, 'emit'>;

/** Receives the error that a handler threw or rejected with. */
export type OnEventError = (error: unknown, event: DomainEventName) => void;

/**
 * Creates the bus of a single process: handlers run within `emit`, in the order of their subscription.
 * `onError` receives what a handler throws or rejects with; the other handlers still run.
 */
export function createEventBus(onError: OnEventError): EventBus {
  const handlers: Handlers = {};
  const pending = new Set<Promise<void>>();

  function run<Name extends DomainEventName>(name: Name, handler: Handler<Name>, payload: DomainEvents[Name]): void {
    try {
      const result = handler(payload);
      if (result === undefined) return;
      const done = result.catch((error: unknown) => onError(error, name)).finally(() => pending.delete(done));
      pending.add(done);
    } catch (error) {
      onError(error, name);
    }
  }

  return {
    emit(name, payload) {
      for (const handler of [...(handlers[name] ?? [])]) run(name, handler, payload);
    },
    on(name, handler) {
      const subscribed = handlersOf(handlers, name);
      // A wrapper per subscription, so that the same function can subscribe twice and end each on its own.
      const own: typeof handler = (payload) => handler(payload);
      subscribed.add(own);
      return () => void subscribed.delete(own);
    },
    hasSubscribers: (name) => (handlers[name]?.size ?? 0) > 0,
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

function handlersOf<Name extends DomainEventName>(handlers: Handlers, name: Name): Set<Handler<Name>> {
  const known: Set<Handler<Name>> | undefined = handlers[name];
  if (known !== undefined) return known;
  const created = new Set<Handler<Name>>();
  Object.assign(handlers, { [name]: created });
  return created;
}
