const KEY = Symbol.for("cloudwright.web.shutdown");

/**
 * Aborts when this process is asked to end. It lives on the global object because the server is bundled in several
 * parts, each with modules of its own.
 */
export function shutdown(): AbortController {
  const store: { [KEY]?: AbortController } = globalThis;
  store[KEY] ??= new AbortController();
  return store[KEY];
}
