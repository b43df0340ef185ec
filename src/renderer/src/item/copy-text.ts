/**
 * Copies a text that is still on its way. The browser is told at once that something will be copied, because seconds
 * after the click it would refuse.
 */
export async function copyLater(text: Promise<string>): Promise<void> {
  const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  } catch {
    // Either the text never came, which is the error to show, or this browser takes no promises.
    await navigator.clipboard.writeText(await text);
  }
}
