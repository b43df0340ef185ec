/** A file's bytes as Base64, the form in which they pass the pipe. */
export function encodeFile(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('The file can’t be read'));
    reader.readAsDataURL(file);
  });
}

/** When a file was last changed, RFC 3339; null where the system doesn't tell. */
export function modifiedAtOf({ lastModified }: File): string | null {
  return lastModified > 0 ? new Date(lastModified).toISOString() : null;
}
