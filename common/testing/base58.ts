const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Returns a number of 0 or more in base58 of so many digits or more, as a part of an address. */
export function base58Of(number: number, digits: number): string {
  let rest = number;
  let text = '';
  while (text.length < digits || rest > 0) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}
