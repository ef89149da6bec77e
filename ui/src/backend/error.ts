import type { CommandError } from './bindings';

/** Returns the error of a rejected command, also when something else than a command failed. */
export function asCommandError(reason: unknown): CommandError {
  if (typeof reason === 'object' && reason !== null && 'code' in reason && 'message' in reason) {
    return reason as CommandError;
  }
  return {
    code: 'system',
    message: reason instanceof Error ? reason.message : String(reason),
    hint: null,
  };
}
