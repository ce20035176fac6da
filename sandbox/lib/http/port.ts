export const HIGHEST_PORT = 65_535;

/** @returns undefined if that is no port in decimal digits */
export function readPort(given: string): number | undefined {
  const read = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  return read <= HIGHEST_PORT ? read : undefined;
}
