import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { generate } from "selfsigned";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../config/config.ts";
import { type CloudUnderTest, standardAnswers, startCloud } from "../testing/cloud.ts";
import type { SeenRequest } from "../testing/http-service.ts";
import { connect } from "./connection.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-openstack-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("credentials that change in their file", () => {
  const LOGIN = "POST /identity/v3/auth/tokens";
  const PORTS = "GET /network/v2.0/ports";
  let cloud: CloudUnderTest;
  let accepted: readonly string[];
  afterEach(() => cloud.close());

  const login = ({ body }: SeenRequest) => {
    const secret = JSON.stringify(body).match(/secret-\d/)?.[0] ?? "";
    if (!accepted.includes(secret)) return { status: 401, body: {} };
    const standard = standardAnswers(cloud.service.url)[LOGIN];
    return { ...standard, headers: { "x-subject-token": `token of ${secret}` } };
  };
  const withSecret = (secret: string) =>
    `application-credential-id = ac\napplication-credential-secret = ${secret}`;

  async function start() {
    const path = join(folder, "cloud.conf");
    accepted = ["secret-1"];
    cloud = await startCloud({
      path,
      credentials: withSecret("secret-1"),
      answers: { [LOGIN]: login, [PORTS]: { body: {} } },
    });
    return (secret: string) =>
      write(
        "cloud.conf",
        `[Global]\nauth-url = ${cloud.service.url}/identity\n${withSecret(secret)}\n`,
      );
  }

  /** Returns the token of a new request. */
  async function tokenUsed(): Promise<unknown> {
    const named = {
      service: "network",
      path: "/ports",
      operation: "port_list",
      target: "all",
    } as const;
    await cloud.client.request({ ...named, schema: z.unknown(), context: cloud.context() });
    return cloud.service.requests(PORTS).at(-1)?.headers["x-auth-token"];
  }

  it("are used without a restart", async () => {
    const rotate = await start();
    expect(await tokenUsed()).toBe("token of secret-1");
    rotate("secret-2");
    accepted = ["secret-2"];
    cloud.pass(5_000);
    expect(await tokenUsed()).toBe("token of secret-2");
  });

  it("are not used while Keystone refuses them, and then within half a minute", async () => {
    const rotate = await start();
    await tokenUsed();
    rotate("secret-2");
    cloud.pass(5_000);
    expect(await tokenUsed()).toBe("token of secret-1");
    expect(cloud.warnings).toEqual([
      expect.stringMatching(/not used yet.*Keystone refused our credentials/),
    ]);
    accepted = ["secret-1", "secret-2"];
    expect(await tokenUsed()).toBe("token of secret-1");
    cloud.pass(30_000);
    expect(await tokenUsed()).toBe("token of secret-2");
  });
});

describe("TLS", () => {
  let pair: { readonly cert: string; readonly private: string };
  beforeAll(async () => {
    const hosts = [{ type: 7, ip: "127.0.0.1" } as const];
    pair = await generate([{ name: "commonName", value: "127.0.0.1" }], {
      keyType: "ec",
      extensions: [
        { name: "basicConstraints", cA: true, critical: true },
        { name: "subjectAltName", altNames: hosts },
      ],
    });
  });

  async function answerOver(options: ServerOptions, lines: string): Promise<unknown> {
    const server = createServer(
      { cert: pair.cert, key: pair.private, ...options },
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        response.end(JSON.stringify({ client: subject?.CN ?? "nobody" }));
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const text = `[Global]\nauth-url = ${url}\ntoken = t0ken-of-ours\n${lines}`;
    const { tls } = await readConfig({ text, path: undefined, environment: {}, warn: () => {} });
    const connection = connect({ tls, userAgent: "test", timeoutMs: 5_000, secrets: [] });
    try {
      const sending = { signal: new AbortController().signal, mayLeave: () => true };
      const wire = {
        service: "identity",
        method: "GET",
        url,
        headers: {},
        operation: "x",
        target: "x",
      } as const;
      return (await connection.send({ ...wire, schema: z.unknown() }, sending)).value;
    } finally {
      await connection.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it("is refused for a server without a trusted certificate, and then no change was sent", async () => {
    await expect(answerOver({}, "")).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("did not answer"),
    });
  });

  it("works with a custom CA", async () => {
    await expect(answerOver({}, `ca-file = ${write("ca.pem", pair.cert)}`)).resolves.toEqual({
      client: "nobody",
    });
  });

  it("works with any server if verification is turned off", async () => {
    await expect(answerOver({}, "tls-insecure = true")).resolves.toEqual({ client: "nobody" });
  });

  it("presents a client certificate", async () => {
    const [cert, key] = [write("c.pem", pair.cert), write("k.pem", pair.private)];
    const lines = `ca-file = ${cert}\ncert-file = ${cert}\nkey-file = ${key}`;
    const asked = { requestCert: true, rejectUnauthorized: true, ca: pair.cert };
    await expect(answerOver(asked, lines)).resolves.toEqual({ client: "127.0.0.1" });
  });

  it.each(["ca-file", "cert-file", "key-file"])(
    "says at the start which file is unusable: %s",
    async (option) => {
      const good = write("good.pem", pair.cert);
      const paths = {
        "ca-file": good,
        "cert-file": good,
        "key-file": write("k.pem", pair.private),
        [option]: write(
          "bad.pem",
          "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n",
        ),
      };
      const lines = Object.entries(paths)
        .map(([name, path]) => `${name} = ${path}`)
        .join("\n");
      await expect(answerOver({}, lines)).rejects.toMatchObject({
        code: "Invalid",
        message: expect.stringContaining(option),
      });
    },
  );
});
