import { z } from 'zod';
import { errorCodes, type ErrorCode } from './error-codes.ts';

/** Facts about an error that a sentence may quote: an HTTP status, a field name, a size. Never a secret. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** How an error travels between processes: plain data. */
export const errorDataSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  retryable: z.boolean(),
});

/** An error as data: code for programs, message for the log, details for the sentence shown to a person. */
export type ErrorData = z.infer<typeof errorDataSchema>;

interface AppErrorOptions {
  details?: ErrorDetails;
  /** Whether the same call may succeed later without anything being changed. */
  retryable?: boolean;
  cause?: unknown;
}

/** The one error type that crosses boundaries. `message` is English for logs; windows present `code` and `details`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.retryable = options.retryable ?? false;
  }

  /** The error without its stack and cause, which stay where it was thrown. */
  toData(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      details: { ...this.details },
      retryable: this.retryable,
    };
  }

  /** Rebuilds the error on the other side of a pipe. */
  static fromData(data: ErrorData): AppError {
    return new AppError(data.code, data.message, { details: data.details, retryable: data.retryable });
  }
}

/** Whether a thrown value is an AppError, of the given code if one is named. */
export function isAppError(value: unknown, code?: ErrorCode): value is AppError {
  return value instanceof AppError && (code === undefined || value.code === code);
}

/** Any thrown value as an AppError: aborts become `cancelled`, the unknown becomes `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'CancelError')) {
    return new AppError('cancelled', 'The call was cancelled', { cause: thrown });
  }
  return new AppError('internal', thrown instanceof Error ? thrown.message : 'Unknown error', {
    cause: thrown,
  });
}
