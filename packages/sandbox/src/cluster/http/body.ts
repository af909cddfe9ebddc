import type { IncomingMessage } from "node:http";
import { tooLarge } from "./api-error.ts";

/** Upstream's limit for the body of a request, in bytes. */
const LARGEST_BODY = 3 * 1_024 * 1_024;

/** The body as text. Throws ApiError 413 past the limit. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: string[] = [];
  let size = 0;
  request.setEncoding("utf8");
  for await (const chunk of request) {
    const part = String(chunk);
    size += part.length;
    if (size > LARGEST_BODY) throw tooLarge(LARGEST_BODY);
    chunks.push(part);
  }
  return chunks.join("");
}
