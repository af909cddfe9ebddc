import { messageOf } from "@cloudwright/core/model/values/message-of";
import { log } from "../log.ts";

/** Says in the log why an answer lacks a part; the page says which. `procedure`: whose answer. */
export function loggedUnread(procedure: string): (part: string, error: unknown) => void {
  return (part, error) =>
    log.error("A part of an answer could not be read", {
      procedure,
      part,
      error: messageOf(error),
    });
}
