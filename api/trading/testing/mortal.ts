import type { Around } from './desk.ts';

/** A process that ends, or stands still for a while, at one of its awaits. */
export interface Mortal {
  around: Around;
  /** Resolves with the name of the call at which it ended. */
  died: Promise<string>;
  /** Returns the number of awaited calls so far. */
  calls(): number;
  /** Lets a process go on that stands still. */
  goOn(): void;
}

/**
 * Creates a process that ends at an await: at the `moment`th half of a call, counted from 1; an odd one is before the call has
 * an effect, an even one after it. Nothing that it awaits resolves afterwards. With `standsStill` it goes on when it may, as a
 * process that was cut off.
 */
export function createMortal(moment: number, { standsStill = false } = {}): Mortal {
  let die: (name: string) => void = () => {};
  let goOn = (): void => {};
  const died = new Promise<string>((resolve) => {
    die = resolve;
  });
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const call = Math.ceil(moment / 2);
  const never = new Promise<never>(() => {});
  let calls = 0;
  let isDead = false;

  async function end(name: string): Promise<void> {
    die(name);
    if (standsStill) return mayGoOn;
    isDead = true;
    return never;
  }

  async function run(name: string, work: () => unknown): Promise<unknown> {
    if (isDead) return never;
    calls += 1;
    const isLast = calls === call;
    if (isLast && moment % 2 === 1) await end(`before ${name}`);
    const result = await work();
    if (isLast && moment % 2 === 0) await end(`after ${name}`);
    return isDead ? never : result;
  }

  return {
    died,
    goOn: () => goOn(),
    calls: () => calls,
    around: (name, part) =>
      new Proxy(part, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => run(`${name}.${String(key)}`, () => Reflect.apply(value, target, args));
        },
      }),
  };
}
