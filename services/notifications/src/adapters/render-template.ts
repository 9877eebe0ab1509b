import Handlebars from 'handlebars';
import type { EmailTemplateText } from './email-provider.js';

/** Fills a template. In `html` what is filled in is escaped; a field without a value is empty. */
export function renderTemplate(
  template: EmailTemplateText,
  data: Readonly<Record<string, string>>,
): EmailTemplateText {
  return {
    subject: oneLine(fill(template.subject, data, false)),
    html: fill(template.html, data, true),
    text: fill(template.text, data, false),
  };
}

/** Why a template cannot be used; undefined when it can. */
export function templateProblem(text: string): string | undefined {
  try {
    Handlebars.precompile(text, OPTIONS);
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 1).join('');
  }
}

const OPTIONS = { knownHelpersOnly: true } as const;

function fill(text: string, data: Readonly<Record<string, string>>, escape: boolean): string {
  return Handlebars.compile(text, { ...OPTIONS, noEscape: !escape })(data);
}

/** A line break in a subject would begin another header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
