import { z } from "zod";
import type { CallOptions, KubeObject } from "./client.ts";
import { type KubeCallRef, KubeError } from "./errors.ts";
import { errorOfStatus } from "./status-error.ts";
import type { HttpAnswer } from "./transport.ts";
import { createLineSplitter } from "./watch-lines.ts";

export interface WatchOptions<T> extends CallOptions {
  readonly onEvent: (event: WatchEvent<T>) => void;
  /** Called once when the server accepted the watch, and whenever bytes came. */
  readonly onHeard: () => void;
}

export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

/** Reads a watch to its end. A line that is no event, and an ERROR event, end it with a KubeError. */
export async function readWatch<T extends KubeObject>(
  answer: HttpAnswer,
  options: WatchOptions<T>,
  call: KubeCallRef,
): Promise<void> {
  options.onHeard();
  const split = createLineSplitter((line) => options.onEvent(parseEvent<T>(line, call)));
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    options.onHeard();
    split(chunk);
  }
}

const envelopeSchema = z.object({
  type: z.enum(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]),
  object: z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string().optional() }).optional(),
  }),
});

function parseEvent<T extends KubeObject>(line: string, call: KubeCallRef): WatchEvent<T> {
  const parsed = envelopeSchema.safeParse(parseJson(line));
  if (!parsed.success) {
    throw new KubeError(
      "Unavailable",
      `the watch sent a line of ${line.length} characters that is no event; everything is listed anew`,
      { ...call, cause: parsed.error },
    );
  }
  if (parsed.data.type === "ERROR") throw errorOfStatus(parsed.data.object, call);
  return { type: parsed.data.type, object: parsed.data.object as unknown as T };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
