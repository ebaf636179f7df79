/**
 * LivejoinError
 * ├─ SettingsError      a URL or a table name cannot be right; trying again is pointless
 * ├─ KeyRefusedError    the table server does not accept the key; trying again is pointless
 * ├─ DeadlineError      the table server did not answer in time
 * └─ ServerError        the table server answered with a failure, or is not there
 */
export abstract class LivejoinError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

export class SettingsError extends LivejoinError {}

export class KeyRefusedError extends LivejoinError {
  constructor() {
    super('The table server does not accept this key.');
  }
}

export class DeadlineError extends LivejoinError {
  constructor(step: string, limitMs: number) {
    super(`${step} took longer than ${String(limitMs / 1000)} s.`);
  }
}

export class ServerError extends LivejoinError {}

/**
 * Runs what an application has asked to be told. What it throws is reported as an error that nobody caught, and is no
 * reason not to tell the others.
 */
export function tell(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (typeof reportError === 'function') reportError(error);
    else {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/** What a person can read, whatever was thrown. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === 'string') return thrown;
  return 'The table server is not reachable.';
}
