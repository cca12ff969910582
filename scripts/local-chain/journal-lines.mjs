/** Lines of the journal: JSON behind a checksum, so that a line that was cut off or changed is known for one. */
import { createHash } from 'node:crypto';

const CHECKSUM_DIGITS = 12;
const checksum = (text) => createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_DIGITS);

/** @param {object} entry @returns {string} with its line end */
export function journalLine(entry) {
  const text = JSON.stringify(entry);
  return `${checksum(text)} ${text}\n`;
}

/**
 * The entries up to the first line that is not whole, or does not continue the numbers.
 * @param {Buffer} bytes a file of the journal
 * @param {number} first the number that the first entry must have
 * @returns {{ entries: { n: number }[], goodBytes: number }} how far the file is good
 */
export function readJournal(bytes, first) {
  const entries = [];
  let start = 0;
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
    const line = bytes.toString('utf8', start, end);
    const text = line.slice(CHECKSUM_DIGITS + 1);
    if (line.slice(0, CHECKSUM_DIGITS) !== checksum(text)) break;
    const entry = JSON.parse(text);
    if (entry.n !== first + entries.length) break;
    entries.push(entry);
    start = end + 1;
  }
  return { entries, goodBytes: start };
}
