/** A set of small whole numbers, a bit each: ten thousand users in little more than a kilobyte. */
export class NumberSet {
  #words = new Uint32Array(0);

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    const place = number >>> 5;
    if (place >= this.#words.length) {
      const wider = new Uint32Array(Math.max(place + 1, this.#words.length * 2));
      wider.set(this.#words);
      this.#words = wider;
    }
    this.#words[place] = (this.#words[place] ?? 0) | (1 << (number & 31));
  }
}
