import type { CallContext } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { CallContexts } from "../calls/call-context.ts";

/** Wraps the contexts; `priorityOf` returns the priority with which one was created. */
export function rememberedPriorities(made: CallContexts): {
  readonly contexts: CallContexts;
  priorityOf(context: CallContext): CallPriority | undefined;
} {
  const priorities = new WeakMap<CallContext, CallPriority>();
  return {
    contexts: (request) => {
      const context = made(request);
      priorities.set(context, request.priority);
      return context;
    },
    priorityOf: (context) => priorities.get(context),
  };
}
