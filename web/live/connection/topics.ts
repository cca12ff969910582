import type { Topic } from '../../../common/live/rooms.ts';

/** What pages listen to beside the feed. A topic is asked for once however many listen, and again after a reconnect. */
export interface Topics {
  /** Returns the way to leave. */
  join(topic: Topic): () => void;
  joined(): Topic[];
}

export function createTopics(say: (event: 'subscribe' | 'unsubscribe', topic: Topic) => void): Topics {
  const listeners = new Map<Topic, number>();
  return {
    join(topic) {
      const before = listeners.get(topic) ?? 0;
      listeners.set(topic, before + 1);
      if (before === 0) say('subscribe', topic);
      let joined = true;
      return () => {
        if (!joined) return;
        joined = false;
        const rest = (listeners.get(topic) ?? 1) - 1;
        if (rest > 0) listeners.set(topic, rest);
        else {
          listeners.delete(topic);
          say('unsubscribe', topic);
        }
      };
    },
    joined: () => [...listeners.keys()],
  };
}
