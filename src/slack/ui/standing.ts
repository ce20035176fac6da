/** What an agent reads whose request meets another one. Pure. */
import { currentStep, type RequestRecord } from '../../requests/record.ts';
import { label } from './labels.ts';
import { sentence } from './sentences.ts';
import { mention, time } from './text.ts';
import { targetOf } from './words.ts';

/** @param link to the other request's card; undefined where it has none yet, or Slack did not give it in time */
export function slotTakenText(by: RequestRecord, link: string | undefined): string {
  return [
    `There is an open request for ${targetOf(by)} already, so yours was not taken. Nothing was sent.`,
    standing(by),
    link ? `<${link}|Open its thread> to follow it.` : `It is in <#${by.channel}>.`,
  ].join('\n');
}

export function alreadySubmittedText(record: RequestRecord, link: string | undefined): string {
  return [
    `This form was already taken, for ${targetOf(record)}. What you changed since was not taken, and nothing was sent for it.`,
    standing(record),
    `${link ? `<${link}|Open its thread>, or close` : 'Close'} this form and start again for anything else.`,
  ].join('\n');
}

function standing(record: RequestRecord): string {
  const asked = `Asked by ${mention(record.asker)}, ${time(record.askedAt)}`;
  return `*${label(record)}* · ${asked}\n${sentence(record, currentStep(record))}`;
}
