import type { Dispatcher } from "undici";

/** That a request was not sent, because this process may not write any more. */
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
 * credentials or a connection since it was made, and a process that was stopped meanwhile finds no timer that has told it.
 */
export function fencedDispatch(connections: Dispatcher, fence: () => boolean): Dispatcher {
  return connections.compose(
    (dispatch) => (options, handler) => dispatch(options, fencedHandler(handler, fence)),
  );
}

function fencedHandler(
  handler: Dispatcher.DispatchHandler,
  fence: () => boolean,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      if (!fence()) throw new NotSent("this process may not write any more");
      handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...told) => handler.onRequestUpgrade?.(...told),
    onResponseStart: (...told) => handler.onResponseStart?.(...told),
    onResponseData: (...told) => handler.onResponseData?.(...told),
    onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
    onResponseError: (...told) => handler.onResponseError?.(...told),
  };
}
