import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Answer } from './emulator-api.ts';
import type { CallParameters, Fault, SentMessage } from './emulator-state.ts';

/** What a person can do, see `TelegramEmulator`. */
interface Controls {
  say(from: { id: number; username?: string | undefined }, text: string): number;
  sent(chatId: number): readonly SentMessage[];
  faultOf(chatId: number, fault: Fault | null): void;
}

/** A call of the Bot API. `gone` aborts when the caller has hung up. */
interface BotRequest {
  token: string;
  method: string;
  params: CallParameters;
  gone: AbortSignal;
}

/** A body longer than this is none of ours (bytes). */
const BODY_MAX = 100_000;

const sayInput = z.strictObject({ from: z.int().positive(), username: z.string().optional(), text: z.string() });
const faultInput = z.strictObject({ blocked: z.boolean() });

/** `/bot<token>/<method>` for the bot, `/control/…` for a person. */
export function createEmulatorServer(answer: (request: BotRequest) => Promise<Answer>, controls: Controls): Server {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { pathname } = new URL(request.url ?? '/', 'http://emulator');
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    const body = await readBody(request);
    if (token && method) {
      const params = parametersOf(request, body);
      return sendAnswer(request, response, await answer({ token, method, params, gone: gone.signal }));
    }
    const told = control(controls, request.method ?? 'GET', pathname, body);
    sendJson(response, told === null ? 404 : 200, told ?? { ok: false, error_code: 404, description: 'Not Found' });
  }

  return createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // Whoever typed nonsense at the control calls reads what is wrong with it.
      sendJson(response, 400, { ok: false, error_code: 400, description: String(error) });
    });
  });
}

/**
 * The control calls: `POST /control/say {from, text}`, `GET /control/chats/<id>`, `POST /control/chats/<id> {blocked}`.
 * Null: there is no such call.
 */
function control(controls: Controls, method: string, pathname: string, body: string): unknown {
  if (method === 'POST' && pathname === '/control/say') {
    const { from, username, text } = sayInput.parse(JSON.parse(body));
    return { update_id: controls.say({ id: from, username }, text) };
  }
  const [, chat] = /^\/control\/chats\/(-?\d+)$/.exec(pathname) ?? [];
  if (chat === undefined) return null;
  if (method === 'POST') {
    controls.faultOf(Number(chat), faultInput.parse(JSON.parse(body)).blocked ? { kind: 'blocked' } : null);
  }
  return controls.sent(Number(chat));
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > BODY_MAX) throw new Error('the body is too long');
  }
  return body;
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

function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (answer === 'cut') {
    request.socket.destroy();
    return;
  }
  if ('html' in answer) {
    response.writeHead(answer.status, { 'content-type': 'text/html' }).end(answer.html);
    return;
  }
  if ('result' in answer) {
    sendJson(response, 200, { ok: true, result: answer.result });
    return;
  }
  const { status, error, parameters } = answer;
  sendJson(response, status, {
    ok: false,
    error_code: status,
    description: error,
    ...(parameters ? { parameters } : {}),
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
