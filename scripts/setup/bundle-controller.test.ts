import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error As above.
import * as bundling from "./bundle-controller.mjs";

const run = promisify(execFile);
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serving(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const LEFT_OUT =
  /undici\/lib\/(mock|web\/websocket|interceptor|dispatcher\/client-h2)|node_modules\/(node-fetch|tr46|js-yaml|socks[^/]*|hpagent)\/|zod\/v4\/locales\/de/;

/** Returns the output of a program with these lines, bundled like the controller. */
async function printed(lines: string): Promise<unknown> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bundle-"));
  closers.push(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "entry.mjs"), lines);
  const { metafile } = await build({
    entryPoints: [join(dir, "entry.mjs")],
    outfile: join(dir, "out.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    metafile: true,
    nodePaths: [inProject("node_modules")],
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    plugins: [
      bundling.kubeConfigOnly,
      bundling.httpByRequire,
      bundling.zodInEnglish,
      bundling.compilerAsFile,
      bundling.undiciWithoutTheWeb,
    ],
  });
  const files = Object.keys(metafile.inputs);
  expect(files.filter((file) => LEFT_OUT.test(file))).toEqual([]);
  const { stdout } = await run(process.execPath, [join(dir, "out.mjs")]);
  return JSON.parse(stdout);
}

describe("undici as the controller bundles it", () => {
  it("sends through its own and the environment's proxies, and over connections to one origin", async () => {
    const target = await serving(
      createServer((request, response) => response.end(`${request.method} ${request.url}`)),
    );
    const proxy = createServer();
    let tunnels = 0;
    proxy.on("connect", (_request, socket) => {
      tunnels += 1;
      const upstream = connect(Number(new URL(target).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    const proxyUrl = await serving(proxy);
    const found = await printed(`
      import { Agent, EnvHttpProxyAgent, Pool, ProxyAgent, request } from "undici";
      const far = "http://far.test/a";
      const text = async (url, dispatcher) => (await request(url, { dispatcher, method: "PUT", body: "x" })).body.text();
      const all = [
        await text("${target}/b", new Agent()),
        await text("${target}/c", new Pool("${target}")),
        await text(far, new ProxyAgent({ uri: "${proxyUrl}", proxyTunnel: true })),
        await text(far, new EnvHttpProxyAgent({ httpProxy: "${proxyUrl}", proxyTunnel: true })),
      ];
      console.log(JSON.stringify(all));
      process.exit();`);
    expect(found).toEqual(["PUT /b", "PUT /c", "PUT /a", "PUT /a"]);
    expect(tunnels).toBe(2);
  });

  it("reports errors with undici's own codes", async () => {
    const found = await printed(`
      import { Agent, request } from "undici";
      const codeOf = (work) => work.then(() => "none", (error) => error.code ?? error.name);
      console.log(JSON.stringify([
        await codeOf(request("http://127.0.0.1:1/")),
        await codeOf(request("http://127.0.0.1:1/", { method: "a b" })),
      ]));`);
    expect(found).toEqual(["ECONNREFUSED", "UND_ERR_INVALID_ARG"]);
  });
});

const CONTENT = {
  "current-context": "here",
  clusters: [
    { name: "c", cluster: { server: "https://10.0.0.1", "proxy-url": "socks5://10.0.0.2:1080" } },
  ],
  users: [{ name: "u", user: { token: "proof" } }],
  contexts: [{ name: "here", context: { cluster: "c", user: "u" } }],
};

describe("what else the controller's threads load", () => {
  it("authenticates to the API server without client-node's fetch or Node's own undici", async () => {
    const found = await printed(`
      import { KubeConfig } from "@kubernetes/client-node";
      import { createServer } from "node:http";
      const config = new KubeConfig();
      config.loadFromClusterAndUser({ name: "c", server: "https://10.0.0.1" }, { name: "u", token: "proof" });
      const options = { headers: {} };
      await config.applyToHTTPSOptions(options);
      const isLoaded = process.moduleLoadList.some((name) => name.includes("deps/undici"));
      console.log(JSON.stringify([options.headers, typeof createServer, isLoaded]));`);
    expect(found).toEqual([{ Authorization: "Bearer proof" }, "function", false]);
  });

  it("passes a kubeconfig as JSON, and leaves its proxy to our own transport", async () => {
    const found = await printed(`
      import { KubeConfig } from "@kubernetes/client-node";
      const config = new KubeConfig();
      config.loadFromString(${JSON.stringify(JSON.stringify(CONTENT))});
      const options = { headers: {} };
      await config.applyToHTTPSOptions(options);
      const { server, proxyUrl } = config.getCurrentCluster();
      console.log(JSON.stringify([server, proxyUrl, options.headers]));`);
    const proof = { Authorization: "Bearer proof" };
    expect(found).toEqual(["https://10.0.0.1", "socks5://10.0.0.2:1080", proof]);
  });

  it("reports zod's findings in English", async () => {
    const found = await printed(`
      import { z } from "zod";
      console.log(JSON.stringify(z.number().safeParse("a").error.issues[0].message));`);
    expect(found).toBe("Invalid input: expected number, received string");
  });

  it("loads Prisma's compiler from a separate file", async () => {
    const found = await printed(`
      const { wasm } = await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs");
      const compiler = new WebAssembly.Module(Buffer.from(wasm, "base64"));
      console.log(JSON.stringify([Buffer.isBuffer(wasm), WebAssembly.Module.exports(compiler).length > 0]));`);
    expect(found).toEqual([true, true]);
  });
});
