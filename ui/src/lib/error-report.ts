import { version } from '@/../package.json';

/** Characters of a message that are told. */
const MAX_MESSAGE_LENGTH = 300;

/**
 * The report for the developers when a pane could not be drawn: version, message and component
 * stack. Engines quote what they stumbled over, which can come from a server, so everything
 * between the first and the last quotation mark is left out.
 */
export function errorReport(pane: string, error: unknown, componentStack: string): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: '' };
  return [
    `Sightglass ${version}`,
    `Pane: ${pane}`,
    `Error: ${name}: ${withoutQuotations(message)}`,
    `Window: ${navigator.userAgent}`,
    'Component stack:',
    componentStack.trim(),
  ].join('\n');
}

const QUOTATION = /["'`\u2018\u201c].*["'`\u2019\u201d]|["'`\u2018\u201c].*$/s;

function withoutQuotations(message: string): string {
  return message.replace(QUOTATION, '"…"').slice(0, MAX_MESSAGE_LENGTH);
}
