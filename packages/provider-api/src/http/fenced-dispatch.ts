import type { Dispatcher } from "undici";

/** Thrown when a request was not sent because this process may no longer write. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/**
 * Reports whether a request failed because of the fence, also when another error wraps NotSent. Recognised by name, as a plug-in may have
 * its own copy.
 */
export function isNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "NotSent" || isNotSent(error.cause);
}

/**
 * Returns the same connections behind a fence that is checked when a request's first byte is about to leave. The request may have waited
 * for credentials or a connection, and in a process that was stopped meanwhile no timer has fired.
 */
export function fencedDispatch(connections: Dispatcher, fence: () => boolean): Dispatcher {
  return connections.compose(
    (dispatch) => (options, handler) => dispatch(options, new FencedHandler(handler, fence)),
  );
}

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** One per request, hence a class. */
class FencedHandler implements Handler {
  readonly #handler: Handler;
  readonly #fence: () => boolean;

  constructor(handler: Handler, fence: () => boolean) {
    this.#handler = handler;
    this.#fence = fence;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    if (!this.#fence()) throw new NotSent("this process may no longer write");
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...upgrade: Parameters<NonNullable<Handler["onRequestUpgrade"]>>): void {
    this.#handler.onRequestUpgrade?.(...upgrade);
  }

  onResponseStart(...start: Parameters<NonNullable<Handler["onResponseStart"]>>): void {
    this.#handler.onResponseStart?.(...start);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...end: Parameters<NonNullable<Handler["onResponseEnd"]>>): void {
    this.#handler.onResponseEnd?.(...end);
  }

  onResponseError(controller: Controller, error: Error): void {
    this.#handler.onResponseError?.(controller, error);
  }
}
