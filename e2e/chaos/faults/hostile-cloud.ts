import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { ask, cloudConfig, hasEnded, type RunningController } from "../../harness/controller.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { type Environment, fault } from "../environment.ts";
import { namesOf } from "../fleets/fleet.ts";

/**
 * A cloud that answers nonsense to everything, also without an end, never gets a Node deleted, costs nobody the Lease and holds no
 * answer to /healthz up.
 */
export const hostileCloud = fault("hostile-cloud", async (env) => {
  const { fleet, start } = env;
  const first = await start();
  await fleet.join(namesOf("victim", 20));
  await fleet.settled();
  await first.stop();
  for (const name of fleet.names) await fleet.fallSilent(name);
  const times: number[] = [];
  for (const [what, answer] of Object.entries(HOSTILE_ANSWERS)) {
    times.push(...(await endure(env, what, answer)));
  }
  await start();
  const kinds = Object.keys(HOSTILE_ANSWERS).length;
  return `${kinds} kinds of answer, /healthz ${quantile(times, 0.95)} ms at p95, ${quantile(times, 1)} at most`;
});

/** A period of the kubelet's probes: what takes longer is held up, however busy the machine is. */
const MOST_HEALTH_MS = 10_000;
/** What the heap may keep of garbage, beside what was there before. */
const MOST_RSS_MORE = 300_000_000;
const CALM_RSS_MORE = 150_000_000;

/** How long each answer of /healthz took, milliseconds. */
async function endure(env: Environment, what: string, answer: HostileAnswer): Promise<number[]> {
  const { fleet, start, dir, short, kube } = env;
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    answer(response, requests);
  });
  const config = join(dir, "hostile.yaml");
  writeFileSync(config, cloudConfig(await listening(server), "any"), { mode: 0o600 });
  const lease = `chaos-${what.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
  const flags = { "--leader-elect": "true", "--leader-elect-resource-name": lease };
  const controller = await start({ cloudConfig: config, flags });
  await eventually(() => leads(controller));
  const rss = rssOf(controller);
  const times: number[] = [];
  try {
    const until = Date.now() + (short ? 3_000 : 20_000);
    while (Date.now() < until) {
      times.push(await healthMs(controller, what));
      const lost = fleet.names.filter((name) => fleet.nodes.get(name) === undefined);
      demand(lost.length === 0, `${what}: ${lost.join(", ")} was deleted`);
      demand(!hasEnded(controller), `${what}: the controller ended, or lost its Lease`);
      const more = rssOf(controller) - rss;
      demand(more < MOST_RSS_MORE, `${what}: it takes ${Math.round(more / 1e6)} MB more`);
      await fleet.nodes.changed(100);
    }
    await eventually(() => {
      const more = rssOf(controller) - rss;
      demand(more < CALM_RSS_MORE, `${what}: it keeps ${Math.round(more / 1e6)} MB more`);
    });
    const { holderIdentity = "" } = (await kube.get<Lease>(`${LEASES}/${lease}`)).spec;
    demand(holderIdentity !== "", `${what}: nobody holds the Lease`);
    return times;
  } finally {
    await controller.stop();
    server.closeAllConnections();
    server.close();
  }
}

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

interface Lease {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly holderIdentity?: string };
}

async function leads({ securePort }: RunningController): Promise<void> {
  const answer = await ask(securePort, "/readyz?verbose");
  demand(answer?.body.includes("leadership ok (leader)") === true, "it does not lead yet");
}

async function healthMs({ securePort }: RunningController, what: string): Promise<number> {
  const before = Date.now();
  const answer = await ask(securePort, "/healthz");
  const ms = Date.now() - before;
  demand(answer?.status === 200, `${what}: /healthz answers ${JSON.stringify(answer)}`);
  demand(ms <= MOST_HEALTH_MS, `${what}: /healthz took ${ms} ms`);
  return ms;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function rssOf({ pid }: RunningController): number {
  const [, kilobytes = ""] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port was given"));
      else resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

export type HostileAnswer = (response: ServerResponse, number: number) => void;

/** What a cloud may answer to everything; `number` counts its requests. */
const HOSTILE_ANSWERS: Readonly<Record<string, HostileAnswer>> = {
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
