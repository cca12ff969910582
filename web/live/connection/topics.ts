import type { Topic } from '../../../common/live/rooms.ts';

/** Topics that pages are subscribed to beside the feed: one subscription per topic, however many pages share it. */
export interface Topics {
  /** Subscribes. Returns the function that leaves. */
  join(topic: Topic): () => void;
  /** Topics to subscribe to again after a reconnect. */
  joined(): Topic[];
}

export function createTopics(send: (event: 'subscribe' | 'unsubscribe', topic: Topic) => void): Topics {
  const members = new Set<{ topic: Topic }>();
  const joined = () => [...new Set([...members].map(({ topic }) => topic))];
  return {
    join(topic) {
      const member = { topic };
      if (!joined().includes(topic)) send('subscribe', topic);
      members.add(member);
      return () => {
        if (members.delete(member) && !joined().includes(topic)) send('unsubscribe', topic);
      };
    },
    joined,
  };
}
