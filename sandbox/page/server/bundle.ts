import { join } from 'node:path';
import { rolldown } from 'rolldown';

const CLIENT = join(import.meta.dirname, '../client');

export async function bundleClient(): Promise<string> {
  await using bundle = await rolldown({
    input: join(CLIENT, 'main.tsx'),
    platform: 'browser',
    tsconfig: join(CLIENT, 'tsconfig.json'),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  return output[0].code;
}
