import { existsSync } from "node:fs";
import { isProviderError } from "@cloudwright/provider-api";
import type { Connection } from "../connection.ts";
import { type Clock, pause } from "./clock.ts";

const TRY_EVERY_MS = 50;

/** Connects to the process listening on the socket, handshake included. Throws ProviderError, or the signal's reason. */
export type Connect = (
  socket: string,
  options: { readonly userAgent: string; readonly signal: AbortSignal },
) => Promise<Connection>;

export interface ConnectWithin {
  readonly connect: Connect;
  readonly socket: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/**
 * Connects to the process listening on the socket, which may not be there yet. Returns the connection, or why there is none, as
 * the end of a sentence. Does not retry with a process that speaks another version.
 */
export async function connectWithin(options: ConnectWithin): Promise<Connection | string> {
  const { socket, clock, signal, limitMs } = options;
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort());
  const isOver = AbortSignal.any([signal, limit.signal]);
  let why = "did not open its socket";
  try {
    while (!isOver.aborted) {
      const result = existsSync(socket) ? await attempt(options, isOver) : undefined;
      if (result?.connection !== undefined) return result.connection;
      if (result?.isFinal === true) return result.why;
      why = result?.why ?? why;
      await pause(clock, TRY_EVERY_MS, isOver);
    }
    return signal.aborted ? "was stopped before it answered" : `${why} within ${limitMs / 1_000} s`;
  } finally {
    cancel();
  }
}

interface Attempt {
  readonly connection?: Connection;
  readonly why: string;
  /** Whether another attempt would fail in the same way. */
  readonly isFinal: boolean;
}

async function attempt(
  { connect, socket, userAgent }: ConnectWithin,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    return { connection: await connect(socket, { userAgent, signal }), why: "", isFinal: false };
  } catch (error) {
    if (signal.aborted) return { why: "did not answer the handshake", isFinal: false };
    const message = error instanceof Error ? error.message : String(error);
    // The text becomes part of a sentence.
    const why = `cannot be used: ${message.replace(/\.$/, "")}`;
    return { why, isFinal: isProviderError(error) && !PASSING.has(error.code) };
  }
}

/** Errors that may be temporary, as a process creates its socket before it listens. */
const PASSING: ReadonlySet<string> = new Set(["Unavailable", "TimedOut"]);
