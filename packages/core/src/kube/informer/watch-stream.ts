import { parsedJson } from "../../model/values/json.ts";
import { errorOfStatus } from "../calls/status-error.ts";
import type { OpenAnswer } from "../calls/transport.ts";
import type { CallOptions, KubeObject } from "../client.ts";
import { type KubeCallRef, KubeError } from "../errors.ts";

export interface WatchOptions<T> extends CallOptions {
  readonly onEvent: (event: WatchEvent<T>) => void;
  /** Called when the server accepted the watch, and whenever bytes came. */
  readonly onHeard: () => void;
}

export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

/** Reads a watch to its end. A line that is not an event, and an ERROR event, end it with a KubeError. */
export async function readWatch<T extends KubeObject>(
  answer: OpenAnswer,
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

const TYPES = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"] as const;

interface Envelope {
  readonly type: (typeof TYPES)[number];
  readonly object: KubeObject;
}

/** Checked by hand, without a copy: every change of every object passes through here. */
function isEnvelope(value: unknown): value is Envelope {
  return isRecord(value) && TYPES.some((type) => type === value.type) && isKubeObject(value.object);
}

function isKubeObject(value: unknown): value is KubeObject {
  if (!isRecord(value)) return false;
  const { metadata } = value;
  if (metadata === undefined) return true;
  if (!isRecord(metadata)) return false;
  const version = metadata.resourceVersion;
  return version === undefined || typeof version === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseEvent<T extends KubeObject>(line: string, call: KubeCallRef): WatchEvent<T> {
  const value = parsedJson(line);
  if (!isEnvelope(value)) {
    throw new KubeError(
      "Unavailable",
      `the watch sent a line of ${line.length} characters that is not an event; everything is listed again`,
      call,
    );
  }
  if (value.type === "ERROR") throw errorOfStatus(value.object, call);
  return { type: value.type, object: value.object as T };
}

const LINE_END = 0x0a;

/**
 * Splits a stream of bytes into lines. Bytes are scanned once and copied once, however the network split them: a line
 * that spans many chunks is assembled only when its end has come.
 */
export function createLineSplitter(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let pending: Uint8Array[] = [];

  function finishLine(tail: Uint8Array): void {
    const line = pending.length === 0 ? tail : joined([...pending, tail]);
    pending = [];
    if (line.length > 0) onLine(decoder.decode(line));
  }

  return (chunk) => {
    let start = 0;
    let end = chunk.indexOf(LINE_END);
    while (end !== -1) {
      finishLine(chunk.subarray(start, end));
      start = end + 1;
      end = chunk.indexOf(LINE_END, start);
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
