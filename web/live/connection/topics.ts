import type { Topic } from '../../../common/live/rooms.ts';

/** Topics that pages are subscribed to beside the feed: one subscription per topic, however many pages share it. */
export interface Topics {
  /** Subscribes. Returns the function that leaves. */
  join(topic: Topic): () => void;
  /** Topics to subscribe to again after a reconnect. */
  joined(): Topic[];
}

export function createTopics(send: (event: 'subscribe' | 'unsubscribe', topic: Topic) => void): Topics {
  const members = new Map<Topic, number>();
  return {
    join(topic) {
      const before = members.get(topic) ?? 0;
      members.set(topic, before + 1);
      if (before === 0) send('subscribe', topic);
      let joined = true;
      return () => {
        if (!joined) return;
        joined = false;
        const rest = (members.get(topic) ?? 1) - 1;
        if (rest > 0) members.set(topic, rest);
        else {
          members.delete(topic);
          send('unsubscribe', topic);
        }
      };
    },
    joined: () => [...members.keys()],
  };
}
