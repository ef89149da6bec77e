/**
 * Puts text on the clipboard. Takes a promise too: WebKit only lets a page write while it
 * answers a click, so what has to be fetched first is promised there and then.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') {
    await navigator.clipboard.writeText(text);
    return;
  }
  const blob = text.then((resolved) => new Blob([resolved], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
