/** A set of row numbers, one bit each. */
export interface RowBits {
  has(row: number): boolean;
  put(row: number, isIn: boolean): void;
}

export function createRowBits(): RowBits {
  let bytes = new Uint8Array(0);
  return {
    has: (row) => ((bytes[row >> 3] ?? 0) & (1 << (row & 7))) !== 0,
    put(row, isIn) {
      const at = row >> 3;
      if (at >= bytes.length) {
        if (!isIn) return;
        const grown = new Uint8Array(2 * at + 64);
        grown.set(bytes);
        bytes = grown;
      }
      const bit = 1 << (row & 7);
      bytes[at] = isIn ? (bytes[at] ?? 0) | bit : (bytes[at] ?? 0) & ~bit;
    },
  };
}
