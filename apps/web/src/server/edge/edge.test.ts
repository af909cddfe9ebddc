import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { peerHeader } from "../requests/client.ts";
import { guardEdge } from "./edge.ts";
import { LIMITS } from "./limits.ts";

const SESSION = { cookie: "cloudwright.session_token=made-up" };
const JSON_TYPE = "application/json";

let server: Server;
let origin: string;
/** The requests that reached the server behind the edge. */
let served: { readonly url: string | undefined; readonly peer: unknown; readonly body: string }[];
let answer: (response: ServerResponse) => void;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const piece of request) body += String(piece);
  served.push({ url: request.url, peer: request.headers[peerHeader()], body });
  answer(response);
}

beforeAll(async () => {
  guardEdge();
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

beforeEach(() => {
  served = [];
  answer = (response) => response.end("done");
});

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

function post(path: string, { headers = {}, body }: Sent): Promise<Response> {
  return fetch(origin + path, { method: "POST", headers, body });
}

/** The same in chunks, without a declared length. */
function postInPieces(path: string, body: string): Promise<Response> {
  const stream = new Blob([body]).stream();
  return fetch(origin + path, { method: "POST", body: stream, duplex: "half" } as RequestInit);
}

/** Returns the answer to bytes that no client library would send. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (piece) => {
      said += String(piece);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(said));
  });
}

describe("the headers of an answer", () => {
  it("forbid loading, running and framing, whatever produced the answer", async () => {
    const { headers } = await fetch(`${origin}/anything`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["before it began", (response) => response.setHeader("Cache-Control", "max-age=60")],
    ["with its status", (response) => response.writeHead(200, { "cache-control": "max-age=60" })],
    [
      "with its status as a list",
      (response) => response.writeHead(200, ["Cache-Control", "max-age=60"]),
    ],
  ])("stay as their handler set them %s", async (_, say) => {
    answer = (response) => {
      say(response);
      response.end();
    };
    const { headers } = await fetch(origin);
    expect(headers.get("cache-control")).toBe("max-age=60");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });
});

describe("the peer's address", () => {
  it("is the socket's, whatever the request claims", async () => {
    await fetch(origin, { headers: { [peerHeader()]: "203.0.113.9" } });
    expect(served).toMatchObject([{ peer: "127.0.0.1" }]);
  });
});

describe("the body of a request", () => {
  it.each([
    ["in one piece", post],
    ["in pieces", (path: string, { body }: Sent) => postInPieces(path, body)],
  ])("is passed on whole if it is short enough %s", async (_, send) => {
    const body = "ä".repeat(LIMITS.bodySignedOut / 2);
    const { status } = await send("/form", { body });
    expect(status).toBe(200);
    expect(served).toMatchObject([{ url: "/form", body }]);
  });

  it.each([
    ["in one piece", post],
    ["in pieces", (path: string, { body }: Sent) => postInPieces(path, body)],
  ])("is passed on to no handler if it is one byte too long %s", async (_, send) => {
    const response = await send("/form", { body: "x".repeat(LIMITS.bodySignedOut + 1) });
    expect(response.status).toBe(413);
    expect(await response.text()).toBe("The request is longer than 64 KiB: send less at a time.\n");
    expect(served).toEqual([]);
  });

  it("may be longer with a session, up to a limit", async () => {
    const body = "x".repeat(LIMITS.body);
    expect((await post("/api/trpc/x", { headers: SESSION, body })).status).toBe(200);
    const refused = await post("/api/trpc/x", { headers: SESSION, body: `${body}x` });
    expect(refused.status).toBe(413);
    expect(served).toHaveLength(1);
  });

  it("is refused in the API's own format if it was meant for the API", async () => {
    const body = "x".repeat(LIMITS.bodySignedOut + 1);
    const response = await post("/api/trpc/intents.request", { body });
    expect(response.headers.get("content-type")).toBe(JSON_TYPE);
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(await response.json()).toMatchObject({
      error: { json: { data: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413 } } },
    });
  });

  it("is passed on to no handler if it breaks off early", async () => {
    const length = 100;
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    const head = `POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\nhalf`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    socket.destroy();
    expect((await fetch(`${origin}/next`)).status).toBe(200);
    expect(served.map(({ url }) => url)).toEqual(["/next"]);
  });
});

describe("an unreadable address", () => {
  it("is one that is not UTF-8; it is not parsed any further", async () => {
    const response = await fetch(`${origin}/c/%ff`);
    expect(response.status).toBe(400);
    expect(await response.text()).toBe("The address is not percent-encoded UTF-8: correct it.\n");
    expect(served).toEqual([]);
  });

  it("does not include the query string, which is left to its reader", async () => {
    expect((await fetch(`${origin}/nodes?q=%ff`)).status).toBe(200);
  });

  it.each([
    ["no HTTP", "hello\r\n\r\n", "400 Bad Request", "The request is not valid HTTP."],
    [
      "too long a head",
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`,
      "431 Request Header Fields Too Large",
      "The request's address or headers are too long: send less.",
    ],
  ] as const)("is %s, answered with the same headers", async (...[, text, status, sentence]) => {
    const said = await raw(text);
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`));
    expect(said).toContain("X-Frame-Options: DENY");
    expect(said.split("\r\n\r\n")[1]).toBe(sentence);
    expect(served).toEqual([]);
  });
});
