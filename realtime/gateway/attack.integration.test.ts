import { once } from 'node:events';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { clientEvents } from '../../common/live/events.ts';
import { anyCharacter } from '../../common/testing/any-character.ts';
import { rounds } from '../../common/testing/effort.ts';
import { updateOf } from '../testing/events.ts';
import { startGateway, type TestClient, type TestGateway } from '../testing/gateway.ts';
import { rawClient } from '../testing/raw-client.ts';

let server: TestGateway;
let witness: TestClient;
let attacker: TestClient;
const authenticate = vi.fn(async () => ({
  user: { id: 'u1', username: 'alice', isAdmin: false, hasSecondFactor: false },
  sessionId: 'alice',
}));
/** Error log lines of the gateway. */
const faults: string[] = [];

beforeAll(async () => {
  const sink = new Writable({
    write(line, _encoding, done) {
      faults.push(String(line));
      done();
    },
  });
  server = await startGateway({
    authenticate,
    log: pino({ level: 'error' }, sink),
    // These tests are about the input, not its rate.
    limits: {
      eventsPerSecond: 1e6,
      packetsPerSecond: 1e6,
      connectionsPerUser: 1e6,
      connectionsPerAddress: 1e6,
      waitingPerAddress: 1e6,
    },
  });
  witness = await server.connect({ session: 'bob' });
  attacker = await server.connect();
});
afterAll(() => server.stop());

/** Checks that the server is up and another client still receives the feed. */
async function expectUnaffected() {
  const { seq } = await server.publisher.publish([updateOf(1)]);
  await expect.poll(() => witness.seqs().at(-1), { interval: 1 }).toBe(seq);
  expect(faults).toEqual([]);
}

const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '\u0000', '\u202e', '../../etc/passwd', '{"$gt":""}', 'NaN'),
  fc.constantFrom('tokens', 'admin', 'user:u2', 'token:', 'user:', 'token:__proto__', 'session:alice'),
);
const hostileValue = fc.oneof(
  hostileText,
  fc.anything({ maxDepth: 3 }).map((value) => asJson(value)),
  fc.constantFrom<unknown>(null, true, -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, { $gt: '' }, { $where: '1' }),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__":{"isAdmin":true}}'),
    JSON.parse('{"constructor":{"prototype":{}}}'),
  ),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
);

/** Returns a value as it arrives when sent as JSON. */
function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify([value]))[0];
  } catch {
    // bigint and similar values cannot be sent.
    return null;
  }
}

/** The client library loses an own `__proto__` that holds binary data before it is sent: the server can't refuse it. */
function asSent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, name === '__proto__' ? asJson(value) : value]),
  );
}

/** Inputs that look like those of the event: some of its fields, with hostile values, and some that it does not have. */
function inputLike(fields: string[]) {
  const known = fc.record(Object.fromEntries(fields.map((field) => [field, hostileValue])), { requiredKeys: [] });
  return fc.oneof(
    hostileValue,
    known,
    fc
      .tuple(known, fc.dictionary(hostileText, hostileValue, { maxKeys: 3 }).map(asSent))
      .map((parts) => ({ ...parts[0], ...parts[1] })),
  );
}

/** For all rounds of a soak. */
const LONG = { timeout: 30_000 + 50 * rounds(200) };

test.each(Object.entries(clientEvents))(
  'hostile inputs of %s are acknowledged and harmless [L3]',
  LONG,
  async (event, schema) => {
    const fields = Object.keys(schema.shape);
    await fc.assert(
      fc.asyncProperty(fc.array(inputLike(fields), { maxLength: 3 }), async (inputs) => {
        const response = await attacker.send(event, ...inputs);
        if ('ok' in response) expect(inputs.length === 1 && schema.safeParse(inputs[0]).success).toBe(true);
        else expect(response).toEqual(expect.objectContaining({ error: expect.any(String), code: expect.any(String) }));
        expect(response).not.toHaveProperty('code', 'internal');
        await expectUnaffected();
      }),
      { numRuns: rounds(150) },
    );
  },
);

test('unknown events get an error ack and are harmless [L3]', LONG, async () => {
  const reserved = new Set([
    'connect',
    'connect_error',
    'disconnect',
    'disconnecting',
    'newListener',
    'removeListener',
  ]);
  const name = hostileText.filter((text) => !reserved.has(text) && !Object.hasOwn(clientEvents, text));
  await fc.assert(
    fc.asyncProperty(name, fc.array(hostileValue, { maxLength: 3 }), async (event, inputs) => {
      expect(await attacker.send(event, ...inputs)).toMatchObject({ code: 'unknown-event' });
      await expectUnaffected();
    }),
    { numRuns: rounds(100) },
  );
});

test('events without an ack are harmless [L3]', LONG, async () => {
  const untyped: { emit(event: string, ...args: unknown[]): unknown } = attacker.socket;
  const event = fc.oneof(fc.constantFrom(...Object.keys(clientEvents)), fc.constantFrom('error', 'x'));
  await fc.assert(
    fc.asyncProperty(event, fc.array(hostileValue, { maxLength: 2 }), async (name, inputs) => {
      untyped.emit(name, ...inputs);
      await attacker.send('echo', {});
      await expectUnaffected();
    }),
    { numRuns: rounds(100) },
  );
});

const frame = fc.oneof(
  hostileText,
  fc
    .tuple(fc.stringMatching(/^[0-6]{0,2}[0-6]?(\d{1,3}-)?(\/[a-z]{0,5},)?\d{0,20}$/), fc.json())
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('42', '420', '451-', '452-', '43', '40', '40/admin,', '44', '41'), hostileValue)
    .map(([type, value]) => type + JSON.stringify(['subscribe', value])),
  fc.constantFrom(
    '2',
    '1',
    '6',
    'b',
    'bAAAA',
    '42',
    '421',
    '42[',
    '42[]',
    '42[null]',
    '42["error"]',
    '4210-[',
    '451-["echo",{"_placeholder":true,"num":9}]',
  ),
  fc.uint8Array({ maxLength: 256 }).map((bytes) => Buffer.from(bytes)),
  fc.nat(20_000).map((depth) => `42["subscribe",${'['.repeat(depth)}`),
  fc.nat(7_000).map((depth) => `42["subscribe",${'['.repeat(depth)}${']'.repeat(depth)}]`),
  fc.nat(7_000).map((depth) => `451-["subscribe",${'['.repeat(depth)}${']'.repeat(depth)}]`),
  fc.integer({ min: 16_000, max: 40_000 }).map((size) => `42["subscribe",{"topic":"${'x'.repeat(size)}"}]`),
);

test('survives malformed, binary and huge packets, before and after the handshake [L3]', LONG, async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(frame, { minLength: 1, maxLength: 5 }), async (isConnecting, frames) => {
      const raw = await rawClient(server.port, { isConnecting });
      for (const one of frames) raw.websocket.send(one);
      await expectUnaffected();
      raw.websocket.terminate();
    }),
    { numRuns: rounds(200) },
  );
});

test('a packet over 16 kB closes the connection cleanly [L3]', async () => {
  const raw = await rawClient(server.port);
  raw.websocket.send('x'.repeat(17 * 1024));
  const [code] = await once(raw.websocket, 'close');
  expect(code).toBe(1009);
  await expectUnaffected();
});

test('a thousand handshakes on one connection count as one, and end it [L3]', async () => {
  const raw = await rawClient(server.port, { isConnecting: false });
  const isClosed = () => raw.websocket.readyState === WebSocket.CLOSED;
  authenticate.mockClear();
  for (let count = 1; count < 1_000; count += 1) raw.websocket.send('40{"protocol":1}');
  // Those that arrive before the first one is done are refused; the next one ends the connection.
  await expect.poll(() => isClosed() || raw.received.length > 0).toBe(true);
  raw.websocket.send('40{"protocol":1}');
  await expect.poll(isClosed).toBe(true);
  expect(authenticate).toHaveBeenCalledOnce();
  await expectUnaffected();
});

test('hostile polling requests get a 4xx status [L3]', LONG, async () => {
  const query = fc.record(
    {
      EIO: fc.oneof(fc.constantFrom('3', '4'), hostileText),
      transport: fc.oneof(fc.constantFrom('polling', 'websocket', 'webtransport', '__proto__'), hostileText),
      sid: hostileText,
      b64: hostileText,
    },
    { requiredKeys: ['sid'] },
  );
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS', 'DELETE');
  await fc.assert(
    fc.asyncProperty(method, query, hostileText, async (verb, parameters, body) => {
      const response = await fetch(`${server.url}/socket.io/?${new URLSearchParams(parameters)}`, {
        method: verb,
        ...(verb === 'GET' ? {} : { body }),
      });
      // An empty sid with valid parameters is a handshake without consequences.
      expect(response.status === 200 ? parameters.sid : response.status).toSatisfy(
        (it: string | number) => it === '' || (Number(it) >= 400 && Number(it) < 500),
      );
      await response.arrayBuffer();
      await expectUnaffected();
    }),
    { numRuns: rounds(150) },
  );
});
