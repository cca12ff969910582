import { Types } from 'mongoose';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { defaultPresets } from '../../../common/trading/account.ts';
import type { UserRecord } from '../../users/model.ts';
import { type Choice, createConfirms } from '../confirms.ts';
import { createFakeTrading } from '../testing/fake-trading.ts';
import { linkRecord } from '../testing/linked.ts';
import { answerPress, NO_OUTCOME } from './dispatch.ts';

const CHAT = 7;
const userId = new Types.ObjectId();
const user: UserRecord = {
  ...{ _id: userId, username: 'pat', usernameKey: 'pat', passwordHash: 'none' },
  ...{ isAdmin: false, isActive: true, level: 1, magicPoints: 100, createdAt: new Date(0) },
};
const address = 'So11111111111111111111111111111111111111112';
const choice: Choice = {
  ...{ type: 'trade', label: 'SYM', least: '1', accept: ['unknown-risk'] },
  trade: { ...defaultPresets.buy[0], address, side: 'buy', lamports: 10_000_000, sharePercent: null },
};

test('a press whose order takes too long claims no failure, and a further press finds its order', async () => {
  const trading = createFakeTrading();
  let finish = () => {};
  const slow = new Promise<void>((resolve) => (finish = resolve));
  const confirms = createConfirms({ clock: { now: Date.now } });
  const asked = { userId: userId.toHexString(), chatId: String(CHAT), mode: 'local' as const };
  const [[button] = []] = confirms.ask(asked, [[{ text: 'Buy', choice }]]);
  const press = () =>
    answerPress(
      {
        ...{ kind: 'press', queryId: 'q', chatId: String(CHAT), telegramUserId: String(CHAT), username: null },
        data: button?.data ?? '',
        message: { id: 1, text: 'Buy SYM', buttons: [] },
      },
      {
        links: { byChat: async () => linkRecord(userId, CHAT) },
        users: { findActive: async () => user },
        context: {
          confirms,
          trading: {
            ...trading,
            async place(...order) {
              const placed = await trading.place(...order);
              await slow;
              return placed;
            },
          },
        },
        log: pino({ level: 'silent' }),
        timeout: 20,
      },
    );
  expect(await press()).toEqual({ toast: NO_OUTCOME });
  expect(trading.byKey.size).toBe(1);
  finish();
  expect(await press()).toMatchObject({ outcome: expect.stringMatching(/^Order taken: buying SYM/) });
  expect(trading.byKey.size).toBe(1);
});
