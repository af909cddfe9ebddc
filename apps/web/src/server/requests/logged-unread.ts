import { messageOf } from "@cloudwright/core/model/values/message-of";
import { log } from "../log.ts";

/** Logs why an answer lacks a part; the page names the part. `procedure` is the one that answers. */
export function loggedUnread(procedure: string): (part: string, error: unknown) => void {
  return (part, error) =>
    log.error("A part of an answer could not be read", {
      procedure,
      part,
      error: messageOf(error),
    });
}
