import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { messagesAddress, messagesScript } from "../language/messages-script.ts";
import { guardEdge } from "./edge.ts";

const SCRIPT = "/_next/static/chunks/a.js";

let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-packed-"));
  mkdirSync(join(folder, ".next/static/chunks"), { recursive: true });
  for (const name of ["a.js", "b.css", "c.txt"]) {
    writeFileSync(join(folder, ".next/static/chunks", `${name}.br`), brotliCompressSync("packed"));
  }
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  guardEdge();
  server = createServer((_, response) => response.end("by Next"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function get(path: string, accepted = "gzip, deflate, br", method = "GET"): Promise<Response> {
  return fetch(origin + path, { method, headers: { "accept-encoding": accepted } });
}

describe("a script from the build", () => {
  it("is served precompressed, immutable, and with the default headers", async () => {
    const { headers, ...answer } = await get(SCRIPT).then(async (response) => ({
      headers: response.headers,
      text: await response.text(),
    }));
    expect(answer.text).toBe("packed");
    expect(headers.get("content-encoding")).toBe("br");
    expect(headers.get("content-type")).toBe("application/javascript; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("vary")).toBe("Accept-Encoding");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("may be a style sheet as well, and has no body in answer to HEAD", async () => {
    const sheet = await get("/_next/static/chunks/b.css?of=a-build");
    expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(await (await get(SCRIPT, "br", "HEAD")).text()).toBe("");
  });

  it.each(["", "gzip", "br;q=0", "br; q=0.0, gzip", "brotli"])(
    "is served by Next to a client that accepts “%s”",
    async (accepted) => {
      expect(await (await get(SCRIPT, accepted)).text()).toBe("by Next");
    },
  );

  it.each([
    "/_next/static/chunks/unknown.js",
    "/_next/static/chunks/c.txt",
    "/_next/static/chunks/a.js.br",
    "/_next/static/chunks/..%2fchunks%2fa.js",
    "/_next/static/media/a.js",
    "/c/one/nodes",
  ])("is not served at %s", async (path) => {
    expect(await (await get(path)).text()).toBe("by Next");
  });

  it("does not answer other methods at its address", async () => {
    expect(await (await get(SCRIPT, "br", "POST")).text()).toBe("by Next");
  });
});

describe("the messages of a language", () => {
  it("are served precompressed at their address, and not at that of other messages", async () => {
    const address = messagesAddress("ja") ?? "";
    const answer = await get(address);
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(45_000);
    expect(await answer.text()).toBe(messagesScript("ja"));
    const zipped = await get(address, "gzip");
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(await zipped.text()).toBe(messagesScript("ja"));
    expect(await (await get(address, "identity")).text()).toBe("by Next");
    expect(await (await get("/messages/ja?v=older")).text()).toBe("by Next");
    expect(await (await get("/messages/en?v=1")).text()).toBe("by Next");
  });
});
