import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { LANGUAGES } from "@cloudwright/core/model/language/languages";
import { messagesAddress, messagesScript } from "../language/messages-script.ts";
import { processWide } from "../process-wide.ts";

/**
 * Serves immutable files from what was compressed in advance: with Brotli, a seventh smaller than the gzip that Next makes on the fly, or
 * with gzip for the messages, which Next would send uncompressed. Returns false, so that Next answers, if nothing suits the client.
 */
export function answerPacked(request: IncomingMessage, response: ServerResponse): boolean {
  const { method, url = "", headers } = request;
  if (method !== "GET" && method !== "HEAD") return false;
  const accepted = String(headers["accept-encoding"] ?? "");
  const encoding = ENCODINGS.find((each) => takes(accepted, each));
  if (encoding === undefined) return false;
  const packed = messagesAt(url, encoding) ?? (encoding === "br" ? fileAt(url) : undefined);
  if (packed === undefined) return false;
  response.writeHead(200, {
    "Content-Type": packed.type,
    "Content-Encoding": encoding,
    "Content-Length": packed.body.length,
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
  });
  response.end(method === "HEAD" ? undefined : packed.body);
  return true;
}

interface Packed {
  readonly type: string;
  readonly body: Buffer;
}

/** Best compression first. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Reports whether `Accept-Encoding` allows an encoding; `q=0` excludes it. */
function takes(accepted: string, encoding: Encoding): boolean {
  return accepted.split(",").some((each) => {
    const [name = "", quality = "q=1"] = each.split(";").map((part) => part.trim());
    return name === encoding && Number(quality.replace("q=", "")) > 0;
  });
}

const ADDRESS = "/_next/static/chunks/";
const TYPES: Readonly<Record<string, string>> = {
  js: "application/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Looks up only names that were found in the folder, so that no address escapes it. */
function fileAt(url: string): Packed | undefined {
  const [path = ""] = url.split("?", 1);
  if (!path.startsWith(ADDRESS)) return undefined;
  return packedFiles().get(path.slice(ADDRESS.length));
}

function packedFiles(): ReadonlyMap<string, Packed> {
  return processWide("packed files", () => readPacked(join(process.cwd(), ".next/static/chunks")));
}

/** Reads the files that the build compressed (scripts/setup/pack-static.mjs), by the name of the original. */
function readPacked(folder: string): ReadonlyMap<string, Packed> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).flatMap((name): (readonly [string, Packed])[] => {
    const [, file = "", ending = ""] = /^(.+\.(js|css))\.br$/.exec(name) ?? [];
    const type = TYPES[ending];
    return type === undefined ? [] : [[file, { type, body: readFileSync(join(folder, name)) }]];
  });
  return new Map(files);
}

function messagesAt(url: string, encoding: Encoding): Packed | undefined {
  const language = LANGUAGES.find((each) => url.startsWith(`/messages/${each}?`));
  if (language === undefined || messagesAddress(language) !== url) return undefined;
  return processWide(`messages of ${language} by ${encoding}`, () => ({
    type: "text/javascript; charset=utf-8",
    body: PACKED_BY[encoding](messagesScript(language) ?? ""),
  }));
}

const PACKED_BY: Readonly<Record<Encoding, (text: string) => Buffer>> = {
  br: (text) => brotliCompressSync(text),
  gzip: (text) => gzipSync(text),
};
