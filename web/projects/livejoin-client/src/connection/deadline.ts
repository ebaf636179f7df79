import type { Environment } from '../environment';
import { DeadlineError } from '../errors';

/**
 * Waits for `work`, but not for ever: while a table server starts, its answers simply do not come.
 * `dispose` receives a result that arrives after the deadline, so that nothing stays open unowned.
 */
export function withDeadline<T>(
  environment: Environment,
  step: string,
  limitMs: number,
  work: Promise<T>,
  dispose?: (late: T) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let expired = false;
    const timer = environment.setTimer(() => {
      expired = true;
      reject(new DeadlineError(step, limitMs));
    }, limitMs);
    work.then(
      (result) => {
        if (expired) {
          dispose?.(result);
          return;
        }
        environment.clearTimer(timer);
        resolve(result);
      },
      (error: unknown) => {
        environment.clearTimer(timer);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- passes on what was thrown, whatever it is
        reject(error);
      },
    );
  });
}
