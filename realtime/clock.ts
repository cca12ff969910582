/** Handed in, so that tests decide the time. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
}
