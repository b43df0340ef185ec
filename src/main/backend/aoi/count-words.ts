/** A number with its noun: `1 polygon`, `1,200 polygons`. */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
}
