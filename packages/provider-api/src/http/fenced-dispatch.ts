import type { Dispatcher } from "undici";

/** That a request was not sent, because this process may no longer write. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** Whether that is why a request failed, also where an error was made of it: by name, as a plug-in may have a copy of ours. */
export function isNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "NotSent" || isNotSent(error.cause);
}

/**
 * The same connections behind a fence that is asked when a request's first byte is about to leave: it may have waited for
 * credentials or a connection since it was made, and in a process that was stopped meanwhile no timer has fired.
 */
export function fencedDispatch(connections: Dispatcher, fence: () => boolean): Dispatcher {
  return connections.compose(
    (dispatch) => (options, handler) => dispatch(options, new FencedHandler(handler, fence)),
  );
}

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** A class, as each request has one. */
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
