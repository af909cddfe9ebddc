import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body in our own format. */
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets its answer from now on. */
  answer(answer: Answer | (() => Promise<Answer>)): void;
  close(): Promise<void>;
}

/** Starts a server on this machine that receives a webhook's messages. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: () => Promise<Answer> = async () => ({ status: 200 });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const body = Buffer.concat(parts).toString("utf8");
    received.push({ headers: request.headers, body, json: JSON.parse(body) });
    const { status, headers = {}, body: said = "" } = await answer();
    response.writeHead(status, headers).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook?token=of-the-receiver`,
    received,
    answer: (next) => {
      answer = typeof next === "function" ? next : async () => next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
