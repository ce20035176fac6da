import { vi } from 'vitest';

/** Far longer than a busy machine takes: reached only by something that never happens. */
const LIMIT = { timeout: 60_000, interval: 10 };

/** Resolves once `check` passes. @throws its last error after the time-out */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, LIMIT);
