import { createInterface } from 'node:readline';

/**
 * The lines that the other end of a control connection writes, as `line` events.
 * @param {import('node:net').Socket} socket
 */
export function linesOf(socket) {
  const lines = createInterface({ input: socket });
  lines.on('error', () => {}); // passed on from the socket, whose 'close' follows
  return lines;
}
