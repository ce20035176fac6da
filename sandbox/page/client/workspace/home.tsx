import { useEffect } from 'react';
import type { WorkspaceViewModel } from '../../view-model/workspace.ts';
import type { Actions } from '../actions.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { type Surface, SurfaceProvider } from '../blocks/surface.ts';
import { HOME } from '../navigation.ts';

/** The Home tab of the app: the page that it has drawn for this person. */
export function Home({
  me,
  page,
  actions,
}: {
  me: string;
  page: WorkspaceViewModel['home'];
  actions: Actions;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever somebody opens it
  useEffect(() => {
    void actions.openHome();
  }, [me]);
  return (
    <main className="column" aria-label="Countermand, Home">
      <header className="row">
        <h2>Countermand</h2>
        <span className="badge">Home</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll home" aria-label="Your page" tabIndex={0}>
        {page ? (
          <SurfaceProvider value={surfaceOf(page, actions)}>
            <Blocks blocks={page.view.blocks} />
          </SurfaceProvider>
        ) : (
          <p className="quiet">Countermand has not drawn this page yet.</p>
        )}
      </section>
    </main>
  );
}

const surfaceOf = ({ view, offers }: NonNullable<WorkspaceViewModel['home']>, actions: Actions): Surface => ({
  values: view.state.values,
  errors: {},
  offers,
  click: (key, option) => actions.click(key, HOME, option),
  fill: (key, value) => actions.fill({ [key]: value }, HOME),
  search: async (key, text) => (await actions.search(key, text, HOME))?.options ?? [],
  type: () => {},
});
