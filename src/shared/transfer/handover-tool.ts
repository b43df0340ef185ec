/** The tools that files can be handed to. */
export const handoverTools = ['aria2', 'curl', 'rclone', 's5cmd'] as const;

/** A tool that files can be handed to. */
export type HandoverTool = (typeof handoverTools)[number];
