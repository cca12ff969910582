import { expect, test } from 'vitest';
import { clientText, createFrameReader, serverText } from './frames.ts';

function textsIn(chunks: Buffer[]): string[] {
  const texts: string[] = [];
  const read = createFrameReader((_opcode, bytes, from, to) => texts.push(bytes.toString('utf8', from, to)));
  for (const chunk of chunks) read(chunk);
  return texts;
}

const texts = ['', 'a', 'x'.repeat(125), 'y'.repeat(126), 'z'.repeat(65_535), 'ä'.repeat(40_000)];

test('reads frames of every length in one piece', () => {
  expect(textsIn([Buffer.concat(texts.map(serverText))])).toEqual(texts);
});

test.each([
  [1, 1_000],
  [2, 1_000],
  [7, 1_000],
  [4_096, 100_000],
])('reads frames in pieces of %d bytes from one reused buffer', (size, longest) => {
  const sent = texts.filter(({ length }) => length < longest);
  const stream = Buffer.concat(sent.map(serverText));
  const shared = Buffer.alloc(size);
  const found: string[] = [];
  const read = createFrameReader((_opcode, bytes, from, to) => found.push(bytes.toString('utf8', from, to)));
  for (let at = 0; at < stream.length; at += size) {
    const length = stream.copy(shared, 0, at, Math.min(stream.length, at + size));
    read(shared.subarray(0, length));
  }
  expect(found).toEqual(sent);
});

test('masks the text of a client by zeros', () => {
  expect(clientText('hi')).toEqual(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  expect(() => clientText('x'.repeat(126))).toThrow(RangeError);
});
