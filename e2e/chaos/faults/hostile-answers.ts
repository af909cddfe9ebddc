import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";

export type HostileAnswer = (response: ServerResponse, number: number) => void;

/** What a cloud may answer to everything; `number` counts its requests. */
export const HOSTILE_ANSWERS: Readonly<Record<string, HostileAnswer>> = {
  "401 to everything": (response) => refuse(response, 401, { code: "unauthorized" }),
  "403 to everything": (response) => refuse(response, 403, { code: "forbidden" }),
  "404 to everything": (response) => refuse(response, 404, { code: "not_found" }),
  "500 to everything": (response) => refuse(response, 500, { code: "internal" }),
  "an empty list": (response) => reply(response, 200, { items: [] }),
  "no JSON": (response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html>it works</html>"),
  "nothing at all": () => undefined,
  "an error message of 150 KB": (response) =>
    refuse(response, 500, { code: "internal", message: "a-".repeat(75_000) }),
  "a Retry-After of 1e300": (response) => {
    response.setHeader("retry-after", "1e300");
    refuse(response, 429, { code: "throttled" });
  },
  "pages without an end": (response, number) =>
    reply(response, 200, { items: [MACHINE], next: `cursor-${number}` }),
  "one cursor for ever": (response) => reply(response, 200, { items: [MACHINE], next: "cursor" }),
  "a body of 200 MB": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    Readable.from(megabytes(200)).pipe(response);
  },
  "nesting of 100,000 levels": (response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end("[".repeat(100_000) + "]".repeat(100_000)),
  "names of 60 KB that are not seen": (response) => {
    const name = "\u202e\u0007".repeat(30_000);
    reply(response, 200, { items: [{ ...MACHINE, name, type: name, zone: name }], next: null });
  },
};

/** Of no Node. */
const MACHINE = {
  ...{ id: "i-00000000000000ff", name: "somebody-else", state: "running", type: "m1" },
  ...{ region: "r1", zone: "z1", addresses: [], labels: {}, managed: true },
};

function* megabytes(count: number): Generator<string> {
  yield '{"items":["';
  for (let sent = 0; sent < count; sent += 1) yield "x".repeat(1_000_000);
  yield '"],"next":null}';
}

interface Refusal {
  readonly code: string;
  readonly message?: string;
}

function refuse(response: ServerResponse, status: number, { code, message = "no" }: Refusal): void {
  reply(response, status, { error: { code, message, requestId: "hostile" } });
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "hostile" });
  response.end(JSON.stringify(body));
}
