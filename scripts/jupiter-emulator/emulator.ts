/** Jupiter's swap API over the pools of a local chain, on this machine only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@solana/web3.js';
import { z } from 'zod';
import { wrappedSol } from '../../api/market/sources/solana/programs.ts';
import { addressSchema } from '../../common/tokens/model.ts';
import { BPS } from '../../common/trading/amounts.ts';
import { type Falsification, falsifications } from './falsified.ts';
import { presentResponse, type SwapRequest, swapIn } from './swap.ts';

/** What requests get instead of the right response. `delay`: that response, later. */
export type Fault =
  | { kind: 'status'; status: number }
  | { kind: 'garbage' }
  | { kind: 'delay'; ms: number }
  | { kind: Falsification };

/** A running emulator. */
export interface JupiterEmulator {
  /** Without a slash at the end. */
  url: string;
  /** Number of requests received. */
  count(): number;
  /** Responds to all further requests in this way; null: as requested. */
  setFault(fault: Fault | null): void;
  stop(): Promise<void>;
}

const PATH = '/swap/v2/build';
const HOST = '127.0.0.1';

const requestSchema = z
  .object({
    inputMint: addressSchema,
    outputMint: addressSchema,
    amount: z
      .string()
      .regex(/^\d{1,16}$/)
      .transform(BigInt),
    taker: addressSchema,
    slippageBps: z.coerce.number().int().min(0).max(BPS),
  })
  .refine(({ inputMint, outputMint }) => (inputMint === wrappedSol) !== (outputMint === wrappedSol));

/** Starts an emulator on a free port. `rpcUrl`: the local chain. */
export async function startJupiterEmulator({ rpcUrl }: { rpcUrl: string }): Promise<JupiterEmulator> {
  const connection = new Connection(rpcUrl, 'processed');
  let fault: Fault | null = null;
  let count = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    count += 1;
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
    if (fault?.kind === 'status') return send(response, fault.status, { error: 'asked for' });
    if (fault?.kind === 'garbage') return send(response, 200, { swapInstruction: 'none' });
    if (fault?.kind === 'delay') await pause(fault.ms, undefined, { ref: false });
    if (pathname !== PATH) return send(response, 404, { message: 'Route not found' });
    const parsed = requestSchema.safeParse(Object.fromEntries(searchParams));
    if (!parsed.success) return send(response, 400, { error: 'Invalid query' });
    const body = await bodyFor(connection, parsed.data, fault);
    return body === null ? send(response, 400, { error: 'No routes found' }) : send(response, 200, body);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => send(response, 500, { error: 'Internal server error' }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${portOf(server.address())}`,
    count: () => count,
    setFault(next) {
      fault = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyFor(connection: Connection, request: SwapRequest, fault: Fault | null) {
  const swap = await swapIn(connection, request);
  const falsify = Object.entries(falsifications).find(([kind]) => kind === fault?.kind)?.[1];
  return swap && presentResponse(falsify ? falsify(swap) : swap);
}

const portOf = (address: string | AddressInfo | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
