import mongoose from 'mongoose';
import { expect, test, vi } from 'vitest';
import { noteProof } from '../../api/testing/proof.ts';
import { FEED_SEQ_HEADER } from '../../common/live/protocol.ts';
import { sized } from '../../common/testing/effort.ts';
import { ADMIN, connectLive, post, productScene, signIn } from './product.ts';

/** Each round ends with a kill. */
const ROUNDS = sized({ landing: 2, full: 2, soak: 100 });
/** Concurrent registrations: the load during the kill. */
const WRITERS = 4;

const { mongo, start } = await productScene({ MARKET_RATE: '600', MARKET_SEED: '11' });

/** A version of a token in a feed event. */
interface Published {
  seq: number;
  address: string;
  version: number;
}

/** Registers users until the server has ended, and records each acknowledged one. */
async function keepRegistering(url: string, writer: string, acknowledged: Set<string>): Promise<void> {
  for (let count = 0; ; count++) {
    const username = `${writer}-${count}`;
    try {
      // An address per user: this test is not about the limit per address.
      const address = `10.${count % 250}.${writer.length}.${writer.charCodeAt(1) % 250}`;
      const response = await post(url, '/api/auth/register', { username, password: 'long-enough' }, address);
      if (response.ok) acknowledged.add(username);
    } catch {
      return; // the connection broke before an acknowledgement
    }
  }
}

test(`every acknowledged write survives ${ROUNDS} rounds of kill -9 of server and MongoDB under load`, {
  timeout: 60_000 + ROUNDS * 90_000,
}, async () => {
  const users = new Set<string>();
  const tokens = new Map<string, number>();
  const highest = new Map<string, number>();

  for (let round = 0; round < ROUNDS; round++) {
    const product = await start();
    const { url } = product;
    const session = await signIn(url, ADMIN.username, ADMIN.password);
    const live = connectLive(url, session.cookie);
    const published: Published[] = [];
    live.on('new-token', ({ seq, token }) => published.push({ seq, address: token.address, version: token.version }));
    live.on('token-updates', ({ seq, patches }) => {
      for (const { address, version } of patches) published.push({ seq, address, version });
    });
    const usersBefore = users.size;
    const writers = Array.from({ length: WRITERS }, (_, index) => keepRegistering(url, `r${round}w${index}`, users));
    let acknowledgedSeq = 0;
    await vi.waitFor(
      async () => {
        expect(users.size).toBeGreaterThan(usersBefore + 5 * WRITERS);
        // Lists contain the feed up to this number (F3), and it is in the journal, since MongoDB runs.
        acknowledgedSeq = Number((await session.get('/api/tokens?limit=1')).headers.get(FEED_SEQ_HEADER));
        expect(published.filter(({ seq }) => seq <= acknowledgedSeq).length).toBeGreaterThan(50);
      },
      { timeout: 60_000, interval: 200 },
    );
    const isReused = ({ address, version }: Published) => version <= (highest.get(address) ?? 0);
    expect(published.filter(isReused), `in round ${round + 1}`).toEqual([]);
    for (const { seq, address, version } of published) if (seq <= acknowledgedSeq) tokens.set(address, version);
    // Both in either order, as in a crash.
    const kills = [mongo.kill, product.kill];
    if (round % 2 === 1) kills.reverse();
    await Promise.all(kills.map((kill) => kill()));
    live.close();
    for (const { address, version } of published) highest.set(address, version);
    await Promise.all(writers);

    // The start brings the tokens up to date, and the stop stores everything.
    const restarted = await start();
    await restarted.stop();
    const missing = await missingFrom(mongo.uri, users, tokens);
    expect(missing, `after round ${round + 1}`).toEqual({ users: [], tokens: [], miscounted: [] });
  }
  noteProof(
    'kill -9 of server and MongoDB',
    { rounds: ROUNDS, users: users.size, tokens: tokens.size },
    { writesLost: 0 },
  );
});

/** Returns the acknowledged users and tokens (or newer versions of them) that the database lacks, and tokens that miss trades. */
async function missingFrom(uri: string, users: Set<string>, tokens: Map<string, number>) {
  const connection = await mongoose.createConnection(uri, { serverSelectionTimeoutMS: 20_000 }).asPromise();
  try {
    const storedUsers = new Set(await connection.collection('users').distinct('username'));
    const storedTokens = new Map<string, number>();
    for await (const token of connection
      .collection<{ _id: string; version: number }>('tokens')
      .find({}, { projection: { version: 1 } })) {
      storedTokens.set(token._id, token.version);
    }
    return {
      miscounted: await miscounted(connection),
      users: [...users].filter((name) => !storedUsers.has(name)),
      tokens: [...tokens]
        .filter(([address, version]) => (storedTokens.get(address) ?? 0) < version)
        .map(([address]) => address),
    };
  } finally {
    await connection.close();
  }
}

/** Returns the simulated tokens whose counts differ from their stored trades. To be called while the market is stopped. */
async function miscounted(connection: mongoose.Connection): Promise<string[]> {
  const counted = connection
    .collection<{ _id: string }>('trades')
    .aggregate<{ _id: string; count: number }>([{ $group: { _id: '$address', count: { $sum: 1 } } }]);
  const stored = new Map<string, number>();
  for await (const { _id, count } of counted) stored.set(_id, count);
  const fields = { buys: 1, sells: 1, complete: 1 };
  const tokens = connection.collection<{ _id: string; buys: number; sells: number; complete: boolean }>('tokens');
  const found: string[] = [];
  for await (const { _id, buys, sells, complete } of tokens.find({ launchpad: 'simulator' }, { projection: fields })) {
    if (complete && buys + sells !== (stored.get(_id) ?? 0)) found.push(_id);
  }
  return found;
}
