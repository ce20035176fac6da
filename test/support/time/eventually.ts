import { vi } from 'vitest';

/** Far longer than a busy machine takes: only what never comes is waited for so long. */
const LIMIT = { timeout: 45_000, interval: 10 };

/** Resolves once `check` passes. @throws what it threw last, where it never did */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, LIMIT);
