/** Fails the run when listeners pile up: Node only warns. */
import { afterAll, beforeAll } from 'vitest';

function fail(warning: Error): void {
  if (warning.name === 'MaxListenersExceededWarning') throw warning;
}

beforeAll(() => void process.on('warning', fail));
afterAll(() => void process.off('warning', fail));
