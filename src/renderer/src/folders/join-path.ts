/** The path of an entry of a folder, in the manner of the system that the folder's own path is of. */
export function joinPath(folder: string, name: string): string {
  if (/[/\\]/.test(name)) return name;
  const separator = folder.includes('\\') ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}
