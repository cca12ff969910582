import { Decoder, Encoder, type Packet } from 'socket.io-parser';

/** Decodes the packets of a connection and keeps nothing between them: Socket.IO's own decoder takes 300 bytes of every idle connection. */
class IdleDecoder {
  private decoded: ((packet: Packet) => void) | null = null;
  /** Decoder of a packet whose binary attachments are yet to come. */
  private pending: Decoder | null = null;

  /** Socket.IO listens to `decoded` alone, once. */
  on(_event: 'decoded', listener: (packet: Packet) => void): void {
    this.decoded = listener;
  }

  removeListener(): void {
    this.decoded = null;
  }

  /** Decodes a packet or an attachment. Throws for anything else, like Socket.IO's own. */
  add(data: unknown): void {
    const decoder = this.pending ?? this.open();
    decoder.add(data);
  }

  destroy(): void {
    this.pending?.destroy();
    this.pending = null;
  }

  private open(): Decoder {
    const decoder = new Decoder();
    this.pending = decoder;
    decoder.on('decoded', (packet) => {
      this.pending = null;
      this.decoded?.(packet);
    });
    return decoder;
  }
}

/** Socket.IO's parser with small decoders. */
export const parser = { Encoder, Decoder: IdleDecoder };
