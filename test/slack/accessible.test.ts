/**
 * All that the bot can say, for people who hear it or see no colours: each message has a text that is read without its blocks,
 * each control has a name, and nothing is said by an emoji alone.
 */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue/catalogue.ts';
import type { Surface } from '../../src/catalogue/examples.ts';
import { KIND_NAMES } from '../../src/requests/model/kinds.ts';
import { ACTIONS, CALLBACKS, requestCallback } from '../../src/slack/blocks/ids.ts';
import { KINDS } from '../support/seen-requests.ts';

type Node = { readonly [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object in what is shown. */
const nodesIn = (value: unknown): Node[] =>
  isNode(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : [];

const shownBy = (surface: Surface): unknown =>
  typeof surface === 'string' || 'html' in surface ? undefined : surface;

/** Without emoji, by name or as such, and without markup. */
const wordsOf = (text: string): string =>
  text.replace(/:[a-z0-9_+-]+:|\p{Extended_Pictographic}|[*_~`•·]/gu, ' ').trim();

/** The beginning of the value of a button about a request, which in a message stands behind a stamp (blocks/stamp.ts). */
const REQUEST_ID = /^(@\S+ )?[a-z]{12}:/;

/** A button about a request names it by what is to be done, or calls it a request. */
const ABOUT_REQUEST = new RegExp(
  `: (${Object.values(KINDS)
    .map(({ deed }) => deed.split(' ', 1)[0])
    .join('|')}) | request `,
);

const SURFACES = catalogue().flatMap(({ surfaces }) => surfaces);
const NODES = SURFACES.flatMap((surface) => nodesIn(shownBy(surface)));
const ofType = (...types: string[]): Node[] => NODES.filter(({ type }) => types.includes(String(type)));

const MESSAGES = SURFACES.flatMap((surface) =>
  typeof surface !== 'string' && 'text' in surface ? [surface] : [],
);

describe('everything that the bot can say', () => {
  test('is known: each form, and each button and input that has a route', () => {
    const shown = new Set(NODES.flatMap(({ callback_id: form, action_id: control }) => [form, control]));
    const forms = [...Object.values(CALLBACKS), ...KIND_NAMES.map(requestCallback)];
    expect([...forms, ...Object.values(ACTIONS)].filter((id) => !shown.has(id))).toEqual([]);
  });

  test('is a message with a text of whole sentences, also where nobody sees its blocks', () => {
    expect(MESSAGES.length).toBeGreaterThan(100);
    const isSentence = (text: string) => /\p{L}.*\p{L}.*[.?!:”)](\s|$)/su.test(wordsOf(text));
    expect(MESSAGES.map(({ text }) => text).filter((text) => !isSentence(text))).toEqual([]);
  });

  test('is said in words: no text is an emoji alone, and no part of a choice or a button', () => {
    const texts = ofType('plain_text', 'mrkdwn').map(({ text }) => String(text));
    expect(texts.length).toBeGreaterThan(1_000);
    expect(texts.filter((text) => !/[\p{L}\p{N}]/u.test(wordsOf(text)))).toEqual([]);
  });

  test('names each button by what it does, and each on a request by the request, too', () => {
    const buttons = ofType('button');
    expect(buttons.length).toBeGreaterThan(100);
    for (const { text, accessibility_label: spoken, value } of buttons) {
      expect(wordsOf(String((text as Node)['text']))).not.toBe('');
      if (typeof value === 'string' && REQUEST_ID.test(value)) expect(spoken).toMatch(ABOUT_REQUEST);
      if (spoken === undefined) continue;
      expect(String(spoken).length).toBeLessThanOrEqual(75);
      // Whoever speaks to the computer says what they see (https://www.w3.org/TR/WCAG22/#label-in-name).
      expect(String(spoken).toLowerCase()).toContain(String((text as Node)['text']).toLowerCase());
    }
  });

  test('does not tell a style of a button by its colour alone', () => {
    for (const { text, style } of ofType('button'))
      if (style) expect((text as Node)['text']).toMatch(/\p{L}{3}/u);
  });

  test('labels each field, and shows in each choice without a label what it chooses', () => {
    for (const { label } of ofType('input')) expect(wordsOf(String((label as Node)['text']))).not.toBe('');
    const inRows = ofType('actions').flatMap(({ elements }) => nodesIn(elements));
    const choices = inRows.filter(({ type }) => /_select$|^overflow$|picker$/.test(String(type ?? '')));
    for (const choice of choices)
      expect(choice['placeholder'] ?? choice['accessibility_label'], JSON.stringify(choice)).toBeDefined();
  });

  test('shows no picture, which would need a description', () => {
    expect(ofType('image')).toEqual([]);
  });
});
