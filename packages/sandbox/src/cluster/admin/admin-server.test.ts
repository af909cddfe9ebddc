import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAdminServer } from "./admin-server.ts";
import { Faults } from "./faults.ts";
import { RequestLog } from "./request-log.ts";

const faults = new Faults();
const server = createAdminServer({
  faults,
  log: new RequestLog(),
  cutWatches: () => 0,
  compact: () => undefined,
});

beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.close();
});

async function put(headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  const path = "/admin/faults";
  const sent = request({ host: "127.0.0.1", port, path, method: "PUT", headers, agent: false });
  sent.end(JSON.stringify({ rules: [{ path: "/**", status: 503 }] }));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe("the sandbox cluster's /admin", () => {
  it.each([
    ["a page of another site", { origin: "https://evil.example" }],
    ["a page that is opened from a file", { origin: "null" }],
    ["a name that was made to lead here", { host: "evil.example:8080" }],
    ["a name that only begins like this machine's", { host: "127.0.0.1.evil.example" }],
  ])("answers no browser: %s", async (_who, headers) => {
    expect(await put(headers)).toBe(403);
    expect(faults.rules).toEqual([]);
  });

  it("answers programs on this machine", async () => {
    expect(await put({})).toBe(200);
    expect(await put({ host: "localhost" })).toBe(200);
    expect(faults.rules).toHaveLength(1);
  });
});
