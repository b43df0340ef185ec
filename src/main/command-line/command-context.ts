import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  dataDir?: string;
  /** Name or id of a catalog in the settings. */
  connection?: string;
  baseUrl?: string;
  token?: string;
  authUrl?: string;
  clientId?: string;
  json?: boolean;
  /** False where answers are not to be kept in the library. */
  keep?: boolean;
}

/** What a command works with, beside its own options. */
export interface CommandContext {
  stdout: Output;
  /** One line for people, on standard error. */
  say: (line: string) => void;
  /** Whether standard error is a terminal, where a line can be written over. */
  isTerminal: boolean;
  env: NodeJS.ProcessEnv;
  /** Aborts at Ctrl-C and when the process is asked to end. */
  signal: AbortSignal;
  /** Ends the command with another status than 0, although nothing is wrong with how it went. */
  endWith: (code: ExitCode) => void;
}
