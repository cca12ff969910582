import { pathToFileURL } from 'node:url';
import { type Connection, Types } from 'mongoose';
import type { z } from 'zod';
import { passwordSchema, usernameSchema } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import { type Audit, openAudit } from '../audit/service.ts';
import { forgetLogins } from '../auth/login-limits.ts';
import { type Config, StartError } from '../config/config.ts';
import { SESSION_READ_MAX_AGE, sessionModel } from '../http/session.ts';
import { withConnection } from '../platform/database.ts';
import { pause } from '../platform/resilience.ts';
import { runDirectly } from '../process.ts';
import { createAdminRights } from '../users/admin-rights.ts';
import { loginKey, type UserRecord, userModel } from '../users/model.ts';
import { generatePassword } from '../users/passwords.ts';
import { openUsers, type Users } from '../users/service.ts';
import { requireStrongPassword } from '../users/weak-passwords.ts';
import { readNewPassword } from './new-password.ts';

/** Network address of the operator in the audit log. */
const CONSOLE = 'console';

/** An order of the operator for one user. */
export interface Order {
  command: 'create' | 'promote' | 'reset-password' | 'reset-second-factor';
  username: string;
}

const commands: readonly Order['command'][] = ['create', 'promote', 'reset-password', 'reset-second-factor'];

/** Exit code for an unreadable command line. */
const USAGE_CODE = 2;
const USAGE = `Usage: ${commands.map((command) => `${command} <username>`).join(' | ')}`;

/** Parses command line arguments; null when they are not an order. */
export function parseOrder(args: readonly string[]): Order | null {
  const command = commands.find((known) => known === args[0]);
  return command && args[1] !== undefined && args.length === 2 ? { command, username: args[1] } : null;
}

export interface Terminal {
  /** Resolves with the typed password; null to generate one. */
  askPassword(): Promise<string | null>;
  print(line: string): void;
}

/** Carries out an order on the database at `mongoUri`; a server may be running there. Throws a StartError. */
export async function operate(
  order: Order,
  config: Pick<Config, 'logLevel'>,
  mongoUri: string,
  terminal: Terminal,
): Promise<void> {
  const clock = { now: Date.now };
  try {
    await withConnection(config, mongoUri, async (connection) => {
      const [users, audit] = [await openUsers(connection, clock), await openAudit(connection, clock)];
      await carryOut(order, { connection, users, audit, terminal });
    });
  } catch (error) {
    throw error instanceof PublicError ? new StartError(error.message, { cause: error }) : error;
  }
}

interface Deps {
  connection: Connection;
  users: Users;
  audit: Audit;
  terminal: Terminal;
}

function carryOut({ command, username }: Order, deps: Deps): Promise<void> {
  switch (command) {
    case 'create':
      return create(username, deps);
    case 'promote':
      return promote(username, deps);
    case 'reset-password':
      return resetPassword(username, deps);
    case 'reset-second-factor':
      return resetSecondFactor(username, deps);
  }
}

const by = { user: null, name: 'operator', address: CONSOLE } as const;

async function create(typed: string, { users, audit, terminal }: Deps): Promise<void> {
  const username = parse(usernameSchema, typed);
  if (await users.findByName(username)) throw new StartError(`There is a user "${username}" already.`);
  const password = await newPassword(username, terminal);
  const id = new Types.ObjectId();
  // Recorded first: an interruption may leave an entry without a user, but no user without an entry.
  await audit.record('user-created', by, id.toHexString());
  await users.create({ username, password }, { id, isTrusted: true });
  terminal.print(`Created the user "${username}". To grant administrator rights: npm run admin -- promote <username>`);
}

async function promote(typed: string, { connection, users, audit, terminal }: Deps): Promise<void> {
  const { _id, username } = await findOrThrow(typed, users);
  const id = _id.toHexString();
  const rights = createAdminRights(connection);
  const { changed } = await rights.grant(id, () => audit.record('admin-granted', by, id));
  if (changed) await pause(SESSION_READ_MAX_AGE);
  terminal.print(changed ? `"${username}" is an administrator now.` : `"${username}" is an administrator already.`);
}

async function resetPassword(typed: string, { connection, users, audit, terminal }: Deps): Promise<void> {
  const { _id, username } = await findOrThrow(typed, users);
  const password = await newPassword(username, terminal);
  await audit.record('password-reset', by, _id.toHexString());
  await users.setPassword(_id, password);
  // Earlier failed logins must not lock the user out.
  await forgetLogins(connection, loginKey(username));
  // Index userId. A running server closes the sockets of these sessions at its next check.
  const { deletedCount } = await sessionModel(connection).deleteMany({ userId: _id.toHexString() });
  await pause(SESSION_READ_MAX_AGE);
  terminal.print(`"${username}" has a new password. Sessions ended: ${deletedCount}.`);
}

async function resetSecondFactor(typed: string, { connection, users, audit, terminal }: Deps): Promise<void> {
  const { _id, username, secondFactor } = await findOrThrow(typed, users);
  if (!secondFactor) throw new StartError(`"${username}" has two-step login switched off.`);
  await audit.record('second-factor-off', by, _id.toHexString());
  await userModel(connection).updateOne({ _id }, { $unset: { secondFactor: '', secondFactorSetup: '' } });
  terminal.print(`"${username}" logs in with the password alone now.`);
}

async function findOrThrow(username: string, users: Users): Promise<UserRecord> {
  const user = await users.findByName(username.trim());
  if (!user) throw new StartError(`There is no user "${username}".`);
  return user;
}

/** Returns the typed password, or a generated one. */
async function newPassword(username: string, terminal: Terminal): Promise<string> {
  const typed = await terminal.askPassword();
  if (typed === null) return generatePassword(username, (line) => terminal.print(line));
  const password = parse(passwordSchema, typed);
  requireStrongPassword({ username, password });
  return password;
}

function parse(schema: z.ZodType<string>, typed: string): string {
  const { data, error } = schema.safeParse(typed);
  if (data === undefined) throw new StartError(`${error?.issues[0]?.message ?? 'This is not valid'}.`);
  return data;
}

/** The terminal of this process. */
export function ownTerminal(): Terminal {
  return {
    askPassword: () => readNewPassword(process.stdin, process.stdout),
    print: (line) => void process.stdout.write(`${line}\n`),
  };
}

/** Entry point for containers, which have only the built server: `node .build/server/api/admin/operate.js promote <username>`. */
async function main(): Promise<void> {
  const order = parseOrder(process.argv.slice(2));
  if (order) return runDirectly('admin', (config, mongoUri) => operate(order, config, mongoUri, ownTerminal()));
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = USAGE_CODE;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
