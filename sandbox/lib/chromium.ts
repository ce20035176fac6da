import { type Browser, chromium } from 'playwright-core';
import { findOnPath } from './on-path.ts';

/** Switches that keep the browser from calling other machines. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** chromium-headless-shell is the same browser built without windows, and takes half the time. */
const BINARIES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

export const findChromium = (): string | undefined => process.env['CHROMIUM'] ?? findOnPath(...BINARIES);

/** Starts the browser that `findChromium` finds. @throws if there is none */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium on PATH, and none in CHROMIUM.');
  return chromium.launch({ executablePath, headless: true, args: ARGS });
}
