import { expect, test } from 'vitest';
import { clientText, FrameReader, serverText } from './frames.ts';

function read(chunks: Buffer[]): string[] {
  const texts: string[] = [];
  const reader = new FrameReader((_opcode, bytes, from, to) => texts.push(bytes.toString('utf8', from, to)));
  for (const chunk of chunks) reader.push(chunk);
  return texts;
}

const texts = ['', 'a', 'x'.repeat(125), 'y'.repeat(126), 'z'.repeat(65_535), 'ä'.repeat(40_000)];

test('reads frames of every length in one piece', () => {
  expect(read([Buffer.concat(texts.map(serverText))])).toEqual(texts);
});

test.each([
  [1, 1_000],
  [2, 1_000],
  [7, 1_000],
  [4_096, 100_000],
])('reads frames in pieces of %d bytes out of one buffer that is used again', (size, longest) => {
  const sent = texts.filter(({ length }) => length < longest);
  const stream = Buffer.concat(sent.map(serverText));
  const shared = Buffer.alloc(size);
  const found: string[] = [];
  const reader = new FrameReader((_opcode, bytes, from, to) => found.push(bytes.toString('utf8', from, to)));
  for (let at = 0; at < stream.length; at += size) {
    const length = stream.copy(shared, 0, at, Math.min(stream.length, at + size));
    reader.push(shared.subarray(0, length));
  }
  expect(found).toEqual(sent);
});

test('a text of a client is masked by zeros', () => {
  expect(clientText('hi')).toEqual(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  expect(() => clientText('x'.repeat(126))).toThrow(RangeError);
});
