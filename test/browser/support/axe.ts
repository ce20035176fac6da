import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

type Result = Awaited<ReturnType<AxeBuilder['analyze']>>['incomplete'][number];

/**
 * Returns the violations that axe finds on a page, with their elements and reasons. In the legacy mode it opens no second page
 * to join the results of frames, which takes as long again: no page of ours has frames. It describes the elements of these two
 * kinds of results alone: those of what passes, which nobody reads, took a third of its time.
 */
export async function violations(page: Page) {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations', 'incomplete'] });
  const { violations: found, incomplete } = await axe.analyze();
  return [...found, ...incomplete.map(paleCharacters)].flatMap(({ id, help, nodes }) =>
    nodes.length > 0 ? [{ id, help, where: nodes.map(({ html }) => html) }] : [],
  );
}

/** A single character without enough contrast, such as the count of a reaction, may be an icon: axe leaves that open. */
const paleCharacters = (result: Result): Result => ({
  ...result,
  nodes: result.nodes.filter(isPaleCharacter),
});

const isPaleCharacter = ({ any }: Result['nodes'][number]): boolean =>
  any.some(({ data }) => data?.messageKey === 'shortTextContent');
