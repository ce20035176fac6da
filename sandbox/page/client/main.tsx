/** The page's program: starts with the menu that manifest.yml gives, then follows what is shown. */
import { createRoot } from 'react-dom/client';
import type { AppMenu } from '../../lib/manifest.ts';
import { Page } from './workspace/workspace.tsx';

const response = await fetch('/menu.json');
const menu = (await response.json()) as AppMenu;
const root = document.getElementById('root');
if (root) createRoot(root).render(<Page menu={menu} />);
