import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { createLimiter, type Limits } from '../../http/limits/rate-limits.ts';

/** The client that sends a code. */
export interface CodeClient {
  userId: string;
  /** Secret of the user's session, or of a browser in which the user has logged in before; null for a stranger. */
  known: string | null;
  /** As `addressKey` forms it. */
  address: string;
}

/** Kinds of codes, which are counted apart: no guess of one kind uses up the tries of the other. */
export type CodeKind = 'app' | 'recovery';

/**
 * Limits guesses of codes in a way that cannot lock an owner out: each session and each known browser has a count of its own,
 * and a stranger one by address. Over all addresses, codes of the app from strangers have a bound by user, since their guesses
 * must stay few. Recovery codes need none: they are too long to guess.
 */
export type CodeLimits = Awaited<ReturnType<typeof createCodeLimits>>;

export async function createCodeLimits(connection: Connection, limits: Limits) {
  const perClient = {
    app: await createLimiter(connection, 'code', limits.codePerClient),
    recovery: await createLimiter(connection, 'recovery-code', limits.codePerClient),
  };
  const ofStrangers = await createLimiter(connection, 'code-strangers', limits.codeOfStrangersPerUser);

  return {
    /** Counts a code before its check. Throws `too-many-requests`. */
    async count(client: CodeClient, kind: CodeKind): Promise<void> {
      await perClient[kind].count(keyOf(client));
      // Afterwards, so that one address alone cannot use it up.
      if (client.known === null && kind === 'app') await ofStrangers.count(client.userId);
    },
    /** Resets the counts of a client that sent a right code. */
    async succeeded(client: CodeClient): Promise<void> {
      const { userId, known } = client;
      const key = keyOf(client);
      await Promise.all([perClient.app.forget(key), perClient.recovery.forget(key)]);
      if (known === null) await ofStrangers.forget(userId);
    },
  };
}

/** Returns the key of a client, without its secret. */
function keyOf({ userId, known, address }: CodeClient): string {
  const client = known === null ? address : createHash('sha256').update(known).digest('base64url');
  return `${userId} ${client}`;
}
