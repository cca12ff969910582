import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { defaultRule, RULES_MAX } from '../../common/rules/model.ts';
import { openRules, ruleFields } from '../rules/service.ts';
import { testConnection } from '../testing/database.ts';
import { explainer } from '../testing/explain.ts';
import type { UserRecord } from './model.ts';

const fields = ruleFields({ ...defaultRule, name: 'One of many' });
const user: UserRecord = {
  _id: new Types.ObjectId(),
  username: 'Owner',
  usernameKey: 'owner',
  passwordHash: '',
  isAdmin: false,
  isActive: true,
  level: 1,
  magicPoints: 100,
  createdAt: new Date(),
};
const userId = user._id.toHexString();

const connection = await testConnection({ monitorCommands: true });

const explained = explainer(connection);

/** What another process has. */
const open = () => openRules({ connection, bus: { emit() {} }, clock: { now: Date.now } });

test('a user has as many as there may be and not one more, also through two processes', async () => {
  const [one, other] = [await open(), await open()];
  const outcomes = await Promise.allSettled(
    Array.from({ length: RULES_MAX + 20 }, (_, number) =>
      (number % 2 === 0 ? one : other).create(user, userId, fields),
    ),
  );
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'limit-reached' }) };
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual(Array.from({ length: 20 }, () => refused));
  const places = await connection.collection('rules').distinct('place');
  expect(places).toHaveLength(RULES_MAX);
  expect(await one.list(user, userId)).toHaveLength(RULES_MAX);
});

test('a list, and the look for a free place, read by an index', async () => {
  const rules = await open();
  const [list] = await explained.plans(() => rules.list(user, userId));
  expect(list).toContain('IXSCAN');
  expect(list).not.toContain('SORT');
  await connection.collection('rules').deleteOne({ place: 7 });
  const [place] = await explained.plans(() => rules.create(user, userId, fields));
  expect(place).toContain('IXSCAN');
  expect(place).not.toContain('SORT');
});
