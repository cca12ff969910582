import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { alertSchema } from '../../common/alerts/model.ts';
import { defaultAlerts } from '../../common/settings/model.ts';
import { startTelegramEmulator, type TelegramEmulator } from '../../scripts/telegram-emulator/emulator.ts';
import { startTestServer } from '../test-server.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import type { TestServer } from '../testing/server.ts';
import { justLaunched } from '../testing/tokens.ts';
import { linkedChat } from './testing/alerts.ts';

let server: TestServer;
let emulator: TelegramEmulator;

beforeAll(async () => {
  emulator = await startTelegramEmulator();
  const env = {
    TELEGRAM_BOT_TOKEN: emulator.token,
    TELEGRAM_API_ROOT: emulator.apiRoot,
    MARKET: 'simulator',
    MARKET_RATE: '300',
  };
  server = await startTestServer({ stored: [justLaunched()], env });
});
afterAll(async () => {
  await server.stop();
  await emulator.stop();
});

async function configure(who: Person, alerts: object) {
  const response = await who.call('/api/settings', {
    method: 'PATCH',
    json: { alerts: { ...defaultAlerts, ...alerts } },
  });
  expect(response.status).toBe(200);
}

test('a new token of the market reaches matching users, in the chat and in open tabs, and no other [S9-17]', async () => {
  const [brave, careful] = [await person(server, 'Brave'), await person(server, 'Careful')];
  await configure(brave, { minLiquidity: 0, maxRisk: 100 });
  await configure(careful, { minLiquidity: 10, maxRisk: 0 });
  const socket = await socketOf(server, brave);
  await socket.emitWithAck('subscribe', { topic: `user:${brave.id}` });
  const received: unknown[] = [];
  socket.on('alert', (alert: unknown) => received.push(alert));
  const [chat, otherChat] = [
    Number(await linkedChat(server.connection, brave.id)),
    Number(await linkedChat(server.connection, careful.id)),
  ];
  emulator.open(chat, otherChat);
  await vi.waitFor(() => expect(emulator.sent(chat).length).toBeGreaterThan(0), { timeout: 50_000 });
  const text = emulator.sent(chat)[0]?.text;
  // The chat may have it before the tab.
  const first = await vi.waitFor(
    () =>
      alertSchema
        .array()
        .parse(received)
        .find((alert) => alert.text === text) ?? expect.fail('not received'),
  );
  expect(first).toMatchObject({ type: 'new_token', text: expect.stringContaining(first.address ?? '-') });
  expect((await brave.call('/api/alerts?limit=100')).body).toContainEqual(first);
  expect(emulator.sent(otherChat)).toEqual([]);
}, 60_000);
