import type { IncomingMessage } from "node:http";
import { jsonOfProtobuf, PROTOBUF } from "../protobuf/read-protobuf.ts";
import { tooLarge } from "./api-error.ts";

/** Upstream's limit for the body of a request, in bytes. */
const LARGEST_BODY = 3 * 1_024 * 1_024;

export interface RequestBody {
  readonly text: string;
  /** Without parameters; "" when the client names none. */
  readonly contentType: string;
}

/** Returns the body as text, with protobuf converted to JSON. Throws ApiError 400, 413 or 415. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const bytes = await readBytes(request);
  const contentType = request.headers["content-type"]?.split(";")[0]?.trim() ?? "";
  return contentType === PROTOBUF && bytes.length > 0
    ? { text: jsonOfProtobuf(bytes), contentType: "application/json" }
    : { text: new TextDecoder().decode(bytes), contentType };
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    const part = chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk));
    size += part.length;
    if (size > LARGEST_BODY) throw tooLarge(LARGEST_BODY);
    chunks.push(part);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
