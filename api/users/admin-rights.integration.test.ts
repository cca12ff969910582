import fc from 'fast-check';
import { Types } from 'mongoose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import { rounds } from '../../common/testing/effort.ts';
import { testConnection } from '../testing/database.ts';
import { type AdminRights, createAdminRights, rightsModel } from './admin-rights.ts';
import { userModel } from './model.ts';

const nothing = async () => {};
const ids = Array.from({ length: 4 }, () => new Types.ObjectId().toHexString());

const connection = await testConnection();

/** The rights as two processes open them. */
const both: [AdminRights, AdminRights] = [createAdminRights(connection), createAdminRights(connection)];

/** Replaces all users by four, of which the first `admins` are administrators. */
async function resetUsers(admins: number): Promise<void> {
  const users = userModel(connection);
  await users.deleteMany({});
  await users.insertMany(
    ids.map((id, number) => ({
      _id: new Types.ObjectId(id),
      username: `User ${number}`,
      usernameKey: `user ${number}`,
      passwordHash: 'x',
      isAdmin: number < admins,
      isActive: true,
      createdAt: new Date(),
    })),
  );
}
const adminCount = () => userModel(connection).countDocuments({ isAdmin: true });
const codeOf = (error: unknown) => (error instanceof PublicError ? error.code : String(error));

/** Withdraws rights, again while another process is faster: as an administrator would. */
async function withdraw(rights: AdminRights, id: string): Promise<unknown> {
  try {
    return await rights.withdraw(id, nothing);
  } catch (error) {
    if (codeOf(error) === 'too-many-requests') return withdraw(rights, id);
    throw error;
  }
}

const step = fc.record({
  grant: fc.boolean(),
  user: fc.integer({ min: 0, max: 3 }),
  by: fc.integer({ min: 0, max: 1 }),
});

test('keeps an administrator when two processes grant and withdraw rights at the same time [S6-08]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { minLength: 1, maxLength: 10 }),
      async (first, all) => {
        await resetUsers(first);
        const outcomes = await Promise.all(
          all.map(({ grant, user, by }) => {
            const rights = both[by === 0 ? 0 : 1];
            const id = ids[user] ?? '';
            return (grant ? rights.grant(id, nothing) : withdraw(rights, id)).then(() => 'done', codeOf);
          }),
        );
        for (const outcome of outcomes) expect(['done', 'last-admin']).toContain(outcome);
        expect(await adminCount()).toBeGreaterThanOrEqual(1);
        expect(await rightsModel(connection).findById('admins').lean()).not.toMatchObject({
          leaving: { userId: expect.anything() },
        });
      },
    ),
    { numRuns: rounds(30), seed: 8 },
  );
}, 60_000);

test('completes a withdrawal that a crash interrupted before the next one [S6-08]', async () => {
  await resetUsers(3);
  const [one] = both;
  await one.withdraw(ids[2] ?? '', nothing);
  await one.grant(ids[2] ?? '', nothing);
  const user = await userModel(connection).findById(ids[2]).lean();
  const leaving = { userId: new Types.ObjectId(ids[2]), rightsVersion: user?.rightsVersion };
  await rightsModel(connection).updateOne({ _id: 'admins' }, { $set: { leaving }, $inc: { version: 1 } });
  await one.withdraw(ids[1] ?? '', nothing);
  expect(await adminCount()).toBe(1);
  await expect(one.withdraw(ids[0] ?? '', nothing)).rejects.toMatchObject({ code: 'last-admin' });
});

test('does not withdraw rights granted since, when a process resumes too late [S6-08]', async () => {
  await resetUsers(2);
  const [one] = both;
  const { user } = await one.withdraw(ids[1] ?? '', nothing);
  await one.grant(ids[1] ?? '', nothing);
  await one.withdraw(ids[0] ?? '', nothing);
  // The step of a process that was suspended before the first withdrawal.
  const leaving = { userId: new Types.ObjectId(ids[1]), rightsVersion: (user.rightsVersion ?? 1) - 1 };
  await rightsModel(connection).updateOne({ _id: 'admins' }, { $set: { leaving }, $inc: { version: 1 } });
  await expect(one.withdraw(ids[1] ?? '', nothing)).rejects.toMatchObject({ code: 'last-admin' });
  expect(await adminCount()).toBe(1);
});

test('records nothing when nothing changes or the last administrator would go', async () => {
  await resetUsers(1);
  const [one] = both;
  const before = () => Promise.reject(new Error('must not be called'));
  expect(await one.grant(ids[0] ?? '', before)).toMatchObject({ changed: false });
  expect(await one.withdraw(ids[1] ?? '', before)).toMatchObject({ changed: false });
  await expect(one.withdraw(ids[0] ?? '', before)).rejects.toMatchObject({ code: 'last-admin' });
  await expect(one.grant(ids[1] ?? '', before)).rejects.toThrow('must not be called');
  expect(await adminCount()).toBe(1);
});

test('records nothing when another process completes an interrupted withdrawal at the same moment', async () => {
  await resetUsers(3);
  const [one] = both;
  const rights = rightsModel(connection);
  const leaving = { userId: new Types.ObjectId(ids[2]), rightsVersion: null };
  await rights.updateOne({ _id: 'admins' }, { $set: { leaving, version: 0 } }, { upsert: true });
  const step = vi.spyOn(rights, 'updateOne').mockImplementationOnce(() => rights.updateOne({ version: -1 }, {}));
  onTestFinished(() => step.mockRestore());
  const before = () => Promise.reject(new Error('must not be called'));
  await expect(one.withdraw(ids[1] ?? '', before)).rejects.toMatchObject({ code: 'too-many-requests' });
  expect(await one.withdraw(ids[1] ?? '', nothing)).toMatchObject({ changed: true });
});
