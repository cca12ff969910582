import { expect, test } from 'vitest';
import { type Allowance, createChatLimit } from './chat-limit.ts';
import { type PollDeps, runBot } from './poll.ts';

const info = {
  is_bot: true,
  ...{ id: 1, username: 'our_bot', first_name: 'Bot' },
  ...{ can_join_groups: false, can_read_all_group_messages: false, supports_inline_queries: false },
};
const message = (update_id: number) => ({
  update_id,
  message: {
    message_id: update_id,
    from: { id: 7, is_bot: false, first_name: 'Ann' },
    chat: { id: 7, type: 'private' as const },
    date: 1_700_000_000,
    text: '/buy',
  },
});

test('a chat that floods the bot earns nothing by the time its answers take', async () => {
  const stopping = new AbortController();
  const api: PollDeps['api'] = {
    getMe: async () => info,
    deleteWebhook: async () => true,
    setMyCommands: async () => true,
    getUpdates: async () => Array.from({ length: 50 }, (_, id) => message(id)),
  };
  let now = 0;
  const answered: Allowance[] = [];
  const handled = new Set<number>();
  const deps: Omit<PollDeps, 'api'> = {
    commands: [],
    handledBy: async () => ({ has: (id) => handled.has(id), add: async (id) => void handled.add(id) }),
    allowance: createChatLimit({ now: () => now }),
    async onMessage(_message, _info, allowed) {
      answered.push(allowed);
      // As long as one answer after the other takes to go out.
      if (allowed !== 'ignore') now += 10_000;
      return true;
    },
    onMembership: async () => {},
    onInfo: () => {},
    onContact: () => {},
    onHandled: () => {
      if (handled.size === 50) stopping.abort();
    },
    onFailure: () => {},
  };
  await runBot({ ...deps, api }, stopping.signal, () => {});
  expect(answered.filter((one) => one === 'go')).toHaveLength(5);
  expect(answered.filter((one) => one === 'tell')).toHaveLength(1);
  expect(answered).toHaveLength(50);
});
