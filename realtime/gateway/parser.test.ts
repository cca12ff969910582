import { expect, test } from 'vitest';
import { parser } from './parser.ts';

function decoding() {
  const decoder = new parser.Decoder();
  const packets: unknown[] = [];
  decoder.on('decoded', (packet) => packets.push(packet));
  return { decoder, packets };
}

test('packets are decoded one by one, also with attachments', () => {
  const { decoder, packets } = decoding();
  decoder.add('27["echo",{}]');
  decoder.add('51-["save",{"_placeholder":true,"num":0}]');
  expect(packets).toHaveLength(1);
  const attachment = Buffer.from([1, 2]);
  decoder.add(attachment);
  decoder.add('2["last"]');
  expect(packets).toMatchObject([
    { data: ['echo', {}], id: 7, nsp: '/' },
    { data: ['save', attachment] },
    { data: ['last'] },
  ]);
});

test('an invalid packet throws, and so does a text in place of an attachment', () => {
  expect(() => decoding().decoder.add('9')).toThrow('unknown packet type');
  expect(() => decoding().decoder.add('2{')).toThrow('invalid payload');
  const { decoder } = decoding();
  decoder.add('51-["save",{"_placeholder":true,"num":0}]');
  expect(() => decoder.add('2["other"]')).toThrow('got plaintext data when reconstructing a packet');
});

test('nothing arrives after the end', () => {
  const { decoder, packets } = decoding();
  decoder.removeListener();
  decoder.add('2["late"]');
  decoder.destroy();
  expect(packets).toEqual([]);
});
