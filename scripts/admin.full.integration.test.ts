import path from 'node:path';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { testFolder } from '../api/testing/folder.ts';
import { userModel } from '../api/users/model.ts';
import { startBuiltMongo } from './testing/embedded-mongo.ts';
import { runCommand } from './testing/run-command.ts';

/** The first run may have to build the server. */
const SLOW = 240_000;

const folder = await testFolder('admin');

const admin = (args: string[], input?: string) => runCommand('admin.mjs', folder, args, input);

test('works on the embedded database, with and without a running Mintwatch', {
  timeout: SLOW,
}, async () => {
  const alone = await admin(['create', 'Alice'], 'correct horse\n');
  expect(alone).toMatchObject({ code: 0, errors: '' });
  expect(alone.output).toContain('Created the user "Alice".');
  // As a running server holds it.
  const mongo = await startBuiltMongo(path.join(folder, 'mongo'), { alone: true });
  const connection = await mongoose.createConnection(mongo.uri, { autoIndex: false }).asPromise();
  try {
    expect(await admin(['promote', 'alice'])).toMatchObject({ code: 0, errors: '' });
    expect(await userModel(connection).findOne({ username: 'Alice' }).lean()).toMatchObject({ isAdmin: true });
    expect(await admin(['promote', 'Bob'])).toMatchObject({ code: 1, errors: 'There is no user "Bob".' });
  } finally {
    await connection.close();
    await mongo.stop();
  }
});

test.each([[[]], [['promote']], [['remove', 'Alice']], [['create', 'Alice', 'password']]])(
  'responds to %j with its usage',
  async (args) => {
    const { code, output, errors } = await admin(args);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(/^Usage: npm run admin -- create <username>/);
  },
);
