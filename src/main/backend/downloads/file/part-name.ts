/** Whose a part file is. */
export interface PartOwner {
  transferId: number;
  /** The mark of its queue, in hex: two programs may fetch one file into one folder, and number their transfers alike. */
  tag: string;
}

/** Where a part file of a file is; further copies are for where something else has the name. */
export function partPathOf(filePath: string, { transferId, tag }: PartOwner, copy = 1): string {
  return `${filePath}.${transferId}-${tag}${copy === 1 ? '' : `-${copy}`}.part`;
}

/** Whether a part file is of the queue that has this mark. */
export function isPartOfQueue(partPath: string, tag: string): boolean {
  return /\.\d+-([0-9a-f]+)(?:-\d+)?\.part$/.exec(partPath)?.[1] === tag;
}
