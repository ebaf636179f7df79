import type { dh } from '@deephaven/jsapi-types';
import type { Environment } from '../environment';
import { ServerError } from '../errors';

export type DeephavenApi = typeof dh;

/** Loads the JavaScript API from the table server that will be spoken to, so that the two always fit. */
export class ApiLoader {
  #api: Promise<DeephavenApi> | null = null;
  #tries = 0;

  constructor(private readonly environment: Environment) {}

  /** Single-flight; loaded once, kept for the life of the page. */
  load(address: string): Promise<DeephavenApi> {
    this.#api ??= this.#import(address).catch((error: unknown) => {
      this.#api = null;
      throw error;
    });
    return this.#api;
  }

  async #import(address: string): Promise<DeephavenApi> {
    // Some browsers remember a failed import for the life of the page, so every further try has an address of its own.
    const suffix = this.#tries === 0 ? '' : `?try=${String(this.#tries)}`;
    this.#tries += 1;
    let module: unknown;
    try {
      module = await this.environment.importModule(`${address}/jsapi/dh-core.js${suffix}`);
    } catch {
      throw new ServerError(`The table server at ${address} is not reachable.`);
    }
    const api = (module as { default?: DeephavenApi }).default;
    if (typeof api?.CoreClient !== 'function') {
      throw new ServerError(`What answers at ${address} is not a table server.`);
    }
    return api;
  }
}
