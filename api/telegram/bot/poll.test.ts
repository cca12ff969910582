import { expect, test } from 'vitest';
import { type Allowance, createChatLimit } from './chat-limit.ts';
import { type PollDeps, runBot } from './poll.ts';

const info = {
  is_bot: true,
  ...{ id: 1, username: 'our_bot', first_name: 'Bot' },
  ...{ can_join_groups: false, can_read_all_group_messages: false, supports_inline_queries: false },
};
const message = (update_id: number, text = '/buy') => ({
  update_id,
  message: {
    message_id: update_id,
    from: { id: 7, is_bot: false, first_name: 'Ann' },
    chat: { id: 7, type: 'private' as const },
    date: 1_700_000_000,
    text,
  },
});

/** Runs the bot on these updates, until it has processed them all. */
async function poll(updates: ReturnType<typeof message>[], overrides: Partial<PollDeps>): Promise<void> {
  const stopping = new AbortController();
  const processed = new Set<number>();
  const deps: PollDeps = {
    api: {
      getMe: async () => info,
      deleteWebhook: async () => true,
      setMyCommands: async () => true,
      getUpdates: async () => updates,
    },
    commands: [],
    processedBy: async () => ({ has: (id) => processed.has(id), add: async (id) => void processed.add(id) }),
    allowance: () => 'allowed',
    onMessage: async () => true,
    onPress: async () => true,
    isUrgent: () => false,
    onMembership: async () => {},
    onInfo: () => {},
    onContact: () => {},
    onProcessed: () => {
      if (processed.size === updates.length) stopping.abort();
    },
    onFailure: () => {},
    ...overrides,
  };
  await runBot(deps, stopping.signal, () => {});
}

test('a flooding chat earns no command in the time that replies take', async () => {
  let now = 0;
  const allowances: Allowance[] = [];
  const flood = Array.from({ length: 50 }, (_, id) => message(id));
  await poll(flood, {
    allowance: createChatLimit({ now: () => now }),
    async onMessage(_message, _info, allowed) {
      allowances.push(allowed);
      // The time that a reply takes.
      if (allowed !== 'ignore') now += 10_000;
      return true;
    },
  });
  expect(allowances.filter((one) => one === 'allowed')).toHaveLength(5);
  expect(allowances.filter((one) => one === 'warn')).toHaveLength(1);
  expect(allowances).toHaveLength(50);
});

test('an urgent message waits for no other of its chat', async () => {
  const ended: string[] = [];
  let stopped = () => {};
  const stop = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  await poll([message(1), message(2, '/stop')], {
    isUrgent: ({ text }) => text === '/stop',
    async onMessage({ text }) {
      // The purchase before it ends only after the stop.
      if (text === '/stop') stopped();
      else await stop;
      ended.push(text);
      return true;
    },
  });
  expect(ended).toEqual(['/stop', '/buy']);
});
