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

/** The first is the same browser built without windows: it takes half of the time. */
const BINARIES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Returns the browser of CHROMIUM, else one on PATH, if there is one. */
export const findChromium = (): string | undefined => process.env['CHROMIUM'] ?? findOnPath(...BINARIES);

/** Starts that browser without a window. @throws if there is none */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium on PATH, and none in CHROMIUM.');
  return chromium.launch({ executablePath, headless: true, args: ARGS });
}
