/** A stream that keeps what is written to it, for a log or the output of a command. */
import { Writable } from 'node:stream';

export function capturedStream() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { stream, lines, text: () => lines.join('') };
}
