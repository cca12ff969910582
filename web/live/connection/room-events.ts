import type { RoomEventName, RoomPayload } from '../../../common/live/events.ts';
import type { RoomEntry } from '../model/events.ts';

type RoomEventHandler<Name extends RoomEventName> = (payload: RoomPayload<Name>) => void;
type Handlers = { [Name in RoomEventName]?: Set<RoomEventHandler<Name>> };

/** Delivers room events to the pages that handle them. */
export interface RoomEvents {
  /** Calls `handler` with every event of this name. Returns the function that ends it. */
  on<Name extends RoomEventName>(event: Name, handler: RoomEventHandler<Name>): () => void;
  /** Called by the connection for each received event. */
  receive<Name extends RoomEventName>(entry: RoomEntry<Name>): void;
}

export function createRoomEvents(): RoomEvents {
  const handlers: Handlers = {};
  return {
    on(event, handler) {
      const all = handlersOf(handlers, event);
      all.add(handler);
      return () => void all.delete(handler);
    },
    receive({ event, payload }) {
      for (const handler of handlersOf(handlers, event)) handler(payload);
    },
  };
}

function handlersOf<Name extends RoomEventName>(handlers: Handlers, event: Name): Set<RoomEventHandler<Name>> {
  const known: Set<RoomEventHandler<Name>> | undefined = handlers[event];
  if (known !== undefined) return known;
  const created = new Set<RoomEventHandler<Name>>();
  Object.assign(handlers, { [event]: created });
  return created;
}
