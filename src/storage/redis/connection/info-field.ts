/** Reads a field of what INFO answers (https://redis.io/docs/latest/commands/info/). */
export function infoField(info: string | undefined, name: string): string | undefined {
  return info
    ?.split('\r\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1);
}
