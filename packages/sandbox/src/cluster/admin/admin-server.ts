import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import { isFromProgramHere, ONLY_PROGRAMS_HERE } from "../../process/program-here.ts";
import { readBody } from "../http/body.ts";
import type { Faults } from "./faults.ts";
import { faultsSchema } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";

export interface AdminParts {
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly cutWatches: () => number;
  readonly compact: () => void;
}

interface AdminReply {
  readonly status: number;
  readonly value?: unknown;
}
type AdminHandler = (parts: AdminParts, body: string) => AdminReply;

const HANDLERS: Readonly<Record<string, AdminHandler>> = {
  "GET /admin/faults": ({ faults }) => ({ status: 200, value: { rules: faults.rules } }),
  "PUT /admin/faults": ({ faults }, body) => {
    const parsed = faultsSchema.safeParse(parse(body));
    if (!parsed.success) return { status: 400, value: { error: z.prettifyError(parsed.error) } };
    faults.replace(parsed.data.rules);
    return { status: 200, value: { rules: faults.rules } };
  },
  "GET /admin/requests": ({ log }) => ({ status: 200, value: { requests: log.requests } }),
  "DELETE /admin/requests": ({ log }) => {
    log.clear();
    return { status: 204 };
  },
  "POST /admin/cut-watches": ({ cutWatches }) => ({ status: 200, value: { cut: cutWatches() } }),
  "POST /admin/compact": ({ compact }) => {
    compact();
    return { status: 204 };
  },
};

/** Serves `/admin`, for tests: it has no token, so it listens only on loopback and refuses browsers. */
export function createAdminServer(parts: AdminParts): Server {
  return createServer((request, response) => {
    answer(parts, request)
      .catch((error: unknown) => ({ status: 500, value: { error: String(error) } }))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy());
  });
}

async function answer(parts: AdminParts, request: IncomingMessage): Promise<AdminReply> {
  if (!isFromProgramHere(request)) return { status: 403, value: { error: ONLY_PROGRAMS_HERE } };
  const path = pathOf(request.url);
  const handler = HANDLERS[`${request.method ?? ""} ${path ?? ""}`];
  if (handler === undefined)
    return { status: 404, value: { error: `no ${path ?? "such path"} here` } };
  const body = await readBody(request);
  return handler(parts, body.text);
}

/** Returns undefined for a URL that cannot be parsed. */
function pathOf(url = "/"): string | undefined {
  return URL.canParse(url, "http://admin") ? new URL(url, "http://admin").pathname : undefined;
}

function send(response: ServerResponse, { status, value }: AdminReply): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(value === undefined ? "" : JSON.stringify(value));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
