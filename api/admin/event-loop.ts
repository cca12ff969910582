import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is looked at, ms: what is measured is how much later than that it comes round. */
const RESOLUTION = 20;
const SLOTS = 6;

/** The longest delay of the event loop in the last minute. */
export interface EventLoopMeter {
  /** To be called every ten seconds: begins a new slot, and lets go of the one of a minute ago. */
  turn(): void;
  /** ms. */
  longest(): number;
  stop(): void;
}

export function createEventLoopMeter(): EventLoopMeter {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let slots: number[] = [];
  const present = () => Math.max(0, histogram.max / 1e6 - RESOLUTION);
  return {
    turn() {
      slots = [...slots, present()].slice(-(SLOTS - 1));
      histogram.reset();
    },
    longest: () => Math.round(Math.max(present(), ...slots)),
    stop: () => void histogram.disable(),
  };
}
