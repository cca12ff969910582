import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '../../common/alerts/model.ts';
import { liveOf } from '../live/live.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { startSound } from './sound.ts';
import { useAlertSignals } from './use-alert-signals.ts';

fakeServerPerTest();

const shown: { title: string; options: NotificationOptions | undefined }[] = [];
const tones: number[] = [];

/** Suspended until `resume`. The page has one. */
class FakeAudioContext {
  static latest: FakeAudioContext | null = null;
  currentTime = 0;
  destination = {};
  state = 'suspended';
  constructor() {
    FakeAudioContext.latest = this;
  }
  async resume() {
    this.state = 'running';
  }
  suspend(state = 'suspended') {
    this.state = state;
  }
}

/** Locks that a tab has taken. */
const locks = new Set<string>();
async function request(name: string, _options: LockOptions, run: (lock: object | null) => Promise<void>) {
  const isTaken = locks.has(name);
  locks.add(name);
  await run(isTaken ? null : {});
}

/** Notes the notifications that the page shows. */
class FakeNotification {
  static permission = 'granted';
  constructor(title: string, options?: NotificationOptions) {
    shown.push({ title, options });
  }
}

beforeEach(() => {
  shown.length = 0;
  tones.length = 0;
  vi.stubGlobal('Notification', FakeNotification);
  locks.clear();
  vi.stubGlobal('AudioContext', FakeAudioContext);
  FakeAudioContext.latest?.suspend();
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
  const node = { connect: (next: unknown) => next, start: () => undefined, stop: () => undefined };
  vi.stubGlobal('OscillatorNode', function Oscillator(_context: unknown, { frequency }: { frequency: number }) {
    tones.push(frequency);
    return node;
  });
  const gain = { linearRampToValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
  vi.stubGlobal('GainNode', function Gain() {
    return { ...node, gain };
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'locks');
});

function Signals() {
  useAlertSignals();
  return null;
}

const condition = { field: 'holders', bound: 'min', value: 30 } as const;
const alert: Alert = {
  ...{
    id: 'alert-1',
    type: 'preset_match',
    address: 'So11111111111111111111111111111111111111112',
    ref: 'a'.repeat(24),
  },
  ...{ name: 'Pepe', symbol: 'PEPEX', text: 'text', at: '2026-01-01T00:02:00.000Z' },
  figures: {
    ...{ copyOf: null, createdAt: '2026-01-01T00:00:00.000Z', marketCap: 12_400, currentLiquidity: 5 },
    ...{ holderCount: 41, scamProbability: 34 },
  },
  cause: { why: { preset: 'Fresh & clean', condition }, sound: 'bell', desktop: true },
};

test('sounds begin with the first click: an alert before it leaves the sound to other tabs, and never sounds later', async () => {
  const { store } = renderWithApp(<Signals />);
  const receive = (id: string) => act(() => liveOf(store).receive({ event: 'alert', payload: { ...alert, id } }));
  receive('early');
  expect(tones).toEqual([]);
  expect([...locks]).toEqual(['mintwatch-desktop-early']);
  await act(async () => void fireEvent.click(document.body));
  expect(tones).toEqual([]);
  receive('late');
  expect(tones).toHaveLength(3);
  locks.add('mintwatch-sound-elsewhere');
  receive('elsewhere');
  expect(tones).toHaveLength(3);
  expect(shown).toHaveLength(3);
});

test('an interrupted sound plays nothing, and begins again with the next key', async () => {
  const { store } = renderWithApp(<Signals />);
  const receive = (id: string) => act(() => liveOf(store).receive({ event: 'alert', payload: { ...alert, id } }));
  await startSound();
  FakeAudioContext.latest?.suspend('interrupted');
  receive('interrupted');
  expect(tones).toEqual([]);
  await act(async () => void fireEvent.keyDown(document.body, { key: 'j' }));
  receive('after');
  expect(tones).toHaveLength(3);
});

test('a new alert sounds and shows its figures on the desktop, as its channels say', async () => {
  const { store } = renderWithApp(<Signals />);
  await startSound();
  const receive = (payload: Alert) => act(() => liveOf(store).receive({ event: 'alert', payload }));
  receive(alert);
  expect(tones).toHaveLength(3);
  expect(shown).toMatchObject([
    {
      title: 'PEPEX passed Fresh & clean: holders ≥ 30',
      options: { body: 'MC $12.4K · 2m · 41 holders · Medium Risk 34', tag: 'alert-1' },
    },
  ]);
  receive({ ...alert, id: 'alert-2', cause: alert.cause && { ...alert.cause, sound: 'none', desktop: false } });
  receive({ ...alert, id: 'alert-3', type: 'new_token', cause: null });
  expect(tones).toHaveLength(3);
  expect(shown).toHaveLength(1);
});

test('without permission nothing is shown on the desktop', () => {
  FakeNotification.permission = 'denied';
  const { store } = renderWithApp(<Signals />);
  act(() => liveOf(store).receive({ event: 'alert', payload: alert }));
  expect(shown).toEqual([]);
  FakeNotification.permission = 'granted';
});

// As Chrome on Android does.
test('a browser that refuses the notifications of a page shows none, and is not asked again', async () => {
  const constructed = vi.fn(() => {
    throw new TypeError('Illegal constructor');
  });
  vi.stubGlobal('Notification', Object.assign(constructed, { permission: 'granted' }));
  const { store } = renderWithApp(<Signals />);
  for (const name of ['first', 'second']) {
    act(() => liveOf(store).receive({ event: 'alert', payload: { ...alert, id: name } }));
  }
  expect(constructed).toHaveBeenCalledTimes(1);
});
