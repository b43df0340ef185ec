/** The place that paging had come to is no use any more: paging has to begin anew. */
export class DeadEnd extends Error {}
