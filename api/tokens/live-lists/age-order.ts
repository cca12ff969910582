import { firstIndex } from '../../../common/sorted.ts';
import type { Rows } from '../list-index/rows.ts';

/** Removed tokens that stay in the order before it is built again. */
const SPARE = 1_000;

/** The tokens of the index in the order of their creation or detection. Removed ones stay for a while. */
export type AgeOrder = ReturnType<typeof createAgeOrder>;

export function createAgeOrder(rows: () => Rows) {
  let times: number[] = [];
  let addresses: string[] = [];

  function rebuild(): void {
    const { columns, addresses: all } = rows();
    const at = (row: number) => columns.figures.detected[row] ?? 0;
    const order = all.map((_, row) => row).sort((a, b) => at(a) - at(b));
    times = order.map(at);
    addresses = order.flatMap((row) => all[row] ?? []);
  }

  rebuild();
  return {
    /** Adds a token, or nothing when it is there with this time, epoch ms. */
    add(address: string, time: number): void {
      let place = firstIndex(times, (other) => other < time);
      for (; times[place] === time; place += 1) if (addresses[place] === address) return;
      times.splice(place, 0, time);
      addresses.splice(place, 0, address);
      if (times.length > 2 * rows().addresses.length + SPARE) rebuild();
    },
    /** Returns the tokens of the times `from` to `until`, epoch ms, bounds included. */
    between(from: number, until: number): string[] {
      const first = firstIndex(times, (time) => time < from);
      return addresses.slice(
        first,
        firstIndex(times, (time) => time <= until),
      );
    },
  };
}
