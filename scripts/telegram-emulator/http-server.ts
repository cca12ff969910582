import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { BotResponse } from './response.ts';
import type { CallParameters, Fault, PlacedButton, SentMessage } from './state.ts';

/** Actions of a person; see `TelegramEmulator`. */
interface Controls {
  write(from: { id: number; username?: string | undefined }, text: string): number;
  button(chatId: number, text: string): PlacedButton;
  press(from: number, button: PlacedButton): number;
  sent(chatId: number): readonly SentMessage[];
  setChatFault(chatId: number, fault: Fault | null): void;
}

/** A call of the Bot API. `gone` aborts when the caller disconnects. */
interface BotRequest {
  token: string;
  method: string;
  params: CallParameters;
  gone: AbortSignal;
}

const messageInput = z.strictObject({ from: z.int().positive(), username: z.string().optional(), text: z.string() });
const pressInput = z.strictObject({ from: z.int().positive(), button: z.string() });
const faultInput = z.strictObject({ blocked: z.boolean() });

/** Creates a server with `/bot<token>/<method>` for the bot and `/control/…` for a person. */
export function createEmulatorServer(
  respond: (request: BotRequest) => Promise<BotResponse>,
  controls: Controls,
): Server {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { pathname } = new URL(request.url ?? '/', 'http://emulator');
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    const body = await text(request);
    if (token && method) {
      const params = parametersOf(request, body);
      const botResponse = await respond({ token, method, params, gone: gone.signal });
      return sendBotResponse(request, response, botResponse);
    }
    const result = control(controls, request.method ?? 'GET', pathname, body);
    sendJson(response, result === null ? 404 : 200, result ?? { ok: false, error_code: 404, description: 'Not Found' });
  }

  return createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // Mostly an invalid control call: the person sees the reason.
      sendJson(response, 400, { ok: false, error_code: 400, description: String(error) });
    });
  });
}

/**
 * Runs a control call: `POST /control/messages {from, text}`, `POST /control/presses {from, button}` with a button's text,
 * `GET /control/chats/<id>` or `POST /control/chats/<id> {blocked}`. Returns null for any other call.
 */
function control(controls: Controls, method: string, pathname: string, body: string): unknown {
  if (method === 'POST' && pathname === '/control/messages') {
    const { from, username, text: written } = messageInput.parse(JSON.parse(body));
    return { update_id: controls.write({ id: from, username }, written) };
  }
  if (method === 'POST' && pathname === '/control/presses') {
    const { from, button } = pressInput.parse(JSON.parse(body));
    return { update_id: controls.press(from, controls.button(from, button)) };
  }
  const [, chat] = /^\/control\/chats\/(-?\d+)$/.exec(pathname) ?? [];
  if (chat === undefined) return null;
  if (method === 'POST') {
    controls.setChatFault(Number(chat), faultInput.parse(JSON.parse(body)).blocked ? { kind: 'blocked' } : null);
  }
  return controls.sent(Number(chat));
}

function parametersOf(request: IncomingMessage, body: string): CallParameters {
  if (!request.headers['content-type']?.startsWith('application/json')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  const values = z.record(z.string(), z.unknown()).parse(JSON.parse(body || '{}'));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function sendBotResponse(request: IncomingMessage, response: ServerResponse, botResponse: BotResponse): void {
  if (botResponse === 'cut') {
    request.socket.destroy();
  } else if ('html' in botResponse) {
    response.writeHead(botResponse.status, { 'content-type': 'text/html' }).end(botResponse.html);
  } else if ('result' in botResponse) {
    sendJson(response, 200, { ok: true, result: botResponse.result });
  } else {
    const { status, error, parameters } = botResponse;
    // Without parameters the field is left out of the JSON.
    sendJson(response, status, { ok: false, error_code: status, description: error, parameters });
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
