import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { openRedis } from '../../realtime/redis.ts';
import { startRedis } from '../../realtime/testing/redis.ts';
import { type BusUnderTest, testBusContract } from './bus.contract.ts';
import { createRedisBus } from './redis-bus.ts';

const redisUrl = inject('redisUrl');
const log = pino({ level: 'silent' });
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens the bus as a process of its own does. */
async function openBus(url: string, name: string) {
  const redis = openRedis({ url, log });
  const errors: BusUnderTest['errors'] = [];
  const opened = createRedisBus({ redis, name, onError: (error, event) => errors.push({ error, event }) });
  const close = async () => {
    opened.close();
    redis.close();
  };
  await opened.subscribed;
  return { ...opened, errors, close };
}

async function openTwo(url: string) {
  const name = randomUUID();
  const two = [await openBus(url, name), await openBus(url, name)] as const;
  closing.push(...two.map(({ close }) => close));
  return two;
}

describe.skipIf(redisUrl === null)('with Redis', () => {
  const url = redisUrl ?? '';

  testBusContract('the event bus of several processes', () => openBus(url, randomUUID()));

  test('a shared event reaches the other process once and in order, an own one does not', async () => {
    const [one, other] = await openTwo(url);
    const received: unknown[] = [];
    other.bus.on('rights-changed', ({ userId }) => void received.push(userId));
    other.bus.on('session-ended', ({ sessionId }) => void received.push(sessionId));
    other.bus.on('position-values-changed', ({ userId }) => void received.push(userId));
    one.bus.emit('position-values-changed', { userId: 'own', values: [] });
    for (let number = 0; number < 50; number += 1) {
      one.bus.emit('rights-changed', { userId: `user ${number}` });
      one.bus.emit('session-ended', { sessionId: `session ${number}` });
    }
    await vi.waitFor(() => expect(received).toHaveLength(100));
    expect(received).toEqual(Array.from({ length: 50 }, (_, number) => [`user ${number}`, `session ${number}`]).flat());
  });

  test('only the process that emitted an event has it among its own', async () => {
    const [one, other] = await openTwo(url);
    const received: string[] = [];
    one.own.on('user-created', () => void received.push('own of one'));
    other.own.on('user-created', () => void received.push('own of the other'));
    other.bus.on('user-created', () => void received.push('other'));
    one.bus.emit('user-created', { userId: 'a' });
    await vi.waitFor(() => expect(received).toEqual(['own of one', 'other']));
  });

  test('events go on after Redis was away, and within a process meanwhile', async () => {
    const server = await startRedis();
    if (server === null) throw new Error('redis-server is missing');
    closing.push(server.remove);
    const [one, other] = await openTwo(server.url);
    const received: string[] = [];
    one.bus.on('user-created', ({ userId }) => void received.push(`one ${userId}`));
    other.bus.on('user-created', ({ userId }) => void received.push(`other ${userId}`));
    await server.kill();
    one.bus.emit('user-created', { userId: 'a' });
    expect(received).toEqual(['one a']);
    await server.start();
    await vi.waitFor(() => {
      one.bus.emit('user-created', { userId: 'b' });
      expect(received).toContain('other b');
    });
    expect(received).not.toContain('other a');
  });
});
