/** Writes long lists to standard output, no faster than somebody reads. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes to standard output. A reader may close the pipe early. */
export async function write(text: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(text), process.stdout, { end: false }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    },
  );
}
