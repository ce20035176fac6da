/** The entry of the page: loads the menu of manifest.yml, then renders the live state. */
import { createRoot } from 'react-dom/client';
import type { AppMenu } from '../../lib/manifest.ts';
import { Page } from './workspace/workspace.tsx';

const response = await fetch('/menu.json');
const menu = (await response.json()) as AppMenu;
const root = document.getElementById('root');
if (root) createRoot(root).render(<Page menu={menu} />);
