import type { ServerResponse } from "node:http";

/** A complete answer. */
export interface Reply {
  readonly status: number;
  /** Media type; JSON when absent. */
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly body: string;
}

/** An answer that continues until either side ends it. */
export interface Stream {
  readonly warnings?: readonly string[];
  /** Takes over the response; later errors are reported in the stream. */
  readonly start: (response: ServerResponse) => void;
}

export type Answer = Reply | Stream;

export function isStream(answer: Answer): answer is Stream {
  return "start" in answer;
}

export function jsonReply(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value) };
}
