import open from 'open';

/** Opens the page in the person's browser, unless BROWSER=none is set or there is no display. */
export async function openPage(address: string, env: NodeJS.ProcessEnv): Promise<void> {
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (env['BROWSER'] === 'none' || !hasDisplay) return;
  // If the browser does not start, the person can still open the printed address.
  await open(address).catch(() => undefined);
}
