import open from 'open';

/** Opens the page in the person's browser; not with BROWSER=none, and not where there is no display. */
export async function openPage(address: string, env: NodeJS.ProcessEnv): Promise<void> {
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (env['BROWSER'] === 'none' || !hasDisplay) return;
  // A browser that does not start is no reason to stop: the address is printed as well.
  await open(address).catch(() => undefined);
}
