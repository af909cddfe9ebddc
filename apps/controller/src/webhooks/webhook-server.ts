import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { listen, serverEnding } from "../http/listen.ts";
import { type AnswerOptions, answerWebhook, type WebhookAnswer } from "./answer-webhook.ts";

export interface WebhookServerOptions extends AnswerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: ServerOptions;
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
  /** Called for each answer of a webhook. */
  onAnswer(answer: { readonly webhook: string; readonly code: number; readonly ms: number }): void;
}

export interface WebhookServer {
  readonly port: number;
  /** Presents this certificate to new callers; existing connections stay open. */
  renew(tls: ServerOptions): void;
  /** Gives pending responses a moment to finish; closes idle connections. */
  close(): Promise<void>;
}

/** Larger than any object that an API server accepts, together with its old version. */
const LARGEST_BYTES = 8 * 1_024 * 1_024;

/**
 * Hosts webhooks over TLS, for API servers and without authenticating callers, as upstream does (spec/00 §11): an answer reveals
 * nothing but what the caller sent and where a disk is. Throws PlainError if it cannot listen.
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const server = createServer(options.tls, (request, response) => {
    const startedAt = options.monotonic();
    answer(options, request)
      .then((answered) => {
        send(response, answered);
        const { webhook, status: code } = answered;
        if (webhook === undefined) return;
        options.onAnswer({ webhook, code, ms: options.monotonic() - startedAt });
      })
      // The caller has disconnected in the meantime.
      .catch(() => response.destroy());
  });
  const end = serverEnding(server);
  const { host, port } = options;
  const chosenBy = "--webhook-bind-address and --webhook-secure-port";
  await listen(server, { host, port, chosenBy });
  return {
    port: (server.address() as AddressInfo).port,
    renew: (tls) => server.setSecureContext(tls),
    close: () => {
      const ended = end();
      server.closeIdleConnections();
      return ended;
    },
  };
}

async function answer(
  options: WebhookServerOptions,
  request: IncomingMessage,
): Promise<WebhookAnswer> {
  const body = await readBody(request);
  if (body === undefined) return TOO_LARGE;
  const contentType = request.headers["content-type"];
  return await answerWebhook(options, { url: request.url ?? "/", contentType, body });
}

const TOO_LARGE: WebhookAnswer = {
  status: 413,
  type: "text/plain; charset=utf-8",
  body: "the body is too large\n",
  webhook: undefined,
};

/** Returns undefined if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= LARGEST_BYTES) chunks.push(bytes);
  }
  return size > LARGEST_BYTES ? undefined : Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, { status, type, body }: WebhookAnswer): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
