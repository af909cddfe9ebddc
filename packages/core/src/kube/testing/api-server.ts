import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ClusterAccess } from "../access/kubeconfig.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real HTTP server for tests of the protocol, whose answers the test controls. */
export interface TestApiServer {
  readonly access: ClusterAccess;
  readonly requests: SeenRequest[];
  /** Connections that were opened so far. */
  readonly connections: number;
  /** How often `renew` was called. */
  readonly renewals: number;
  close(): Promise<void>;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void;

export async function startApiServer(answer: Answer): Promise<TestApiServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let renewals = 0;
  const server = createServer((incoming, response) => {
    void readRequest(incoming).then((request) => {
      requests.push(request);
      answer(request, response);
    });
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    access: {
      server: `http://127.0.0.1:${port}`,
      source: "a test",
      credentials: async () => ({
        headers: { authorization: `Bearer token-${renewals}` },
        tls: {},
      }),
      renew: () => {
        renewals += 1;
      },
    },
    requests,
    get connections() {
      return connections;
    },
    get renewals() {
      return renewals;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  let body = "";
  incoming.setEncoding("utf8");
  for await (const chunk of incoming) body += chunk;
  const url = new URL(incoming.url ?? "/", "http://server");
  return {
    method: incoming.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body,
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

export function sendStatus(response: ServerResponse, code: number, reason: string): void {
  sendJson(
    response,
    { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: reason },
    code,
  );
}
