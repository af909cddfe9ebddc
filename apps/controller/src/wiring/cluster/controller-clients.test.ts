import { createKubeClient } from "@cloudwright/core/kube/calls/kube-client";
import { NODES, SERVICES } from "@cloudwright/core/kube/client";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import {
  sendJson,
  sendStatus,
  startApiServer,
  type TestApiServer,
} from "@cloudwright/core/kube/testing/api-server";
import type { Clock } from "@cloudwright/core/model/time";
import { afterEach, describe, expect, it } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { createLog } from "../../logging/log.ts";
import { createProcessContext } from "../process-context.ts";
import { type ControllerClients, createControllerClients } from "./controller-clients.ts";
import type { Fences } from "./fences.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Fixture {
  readonly clients: ControllerClients;
  readonly server: TestApiServer;
}

interface Options {
  readonly flags?: Partial<ReturnType<typeof defaults>>;
  readonly fences?: Fences;
  readonly migrated?: readonly "service-lb-controller"[];
  readonly refusesTokens?: boolean;
}

const OPEN: Fences = {
  main: () => true,
  election: () => true,
  of: () => () => true,
  held: () => undefined,
};
/** Pauses between tries take no time. */
const IMPATIENT: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs <= 2_000 ? 0 : delayMs, callback),
};

async function fixture(options: Options): Promise<Fixture> {
  const server = await startApiServer(({ path }, response) => {
    const account = /\/serviceaccounts\/([a-z-]+)\/token$/.exec(path)?.[1];
    if (account === undefined) return sendJson(response, { kind: "Any" });
    if (options.refusesTokens) return sendStatus(response, 403, "Forbidden");
    const expirationTimestamp = new Date(Date.now() + 3_600_000).toISOString();
    return sendJson(response, { status: { token: `of-${account}`, expirationTimestamp } }, 201);
  });
  const flags = { ...defaults(), ...options.flags };
  const log = createLog({ format: "text", verbosity: 0, write: () => undefined });
  const processContext = { ...createProcessContext({ flags, given: [], log }), clock: IMPATIENT };
  const fences = options.fences ?? OPEN;
  const root = { access: server.access, clock: IMPATIENT, qps: 0, burst: 0, userAgent: "test" };
  const client = createKubeClient({ ...root, fence: fences.main });
  const election = createKubeClient(root);
  const clients = createControllerClients({
    processContext,
    access: server.access,
    cluster: { client, election },
    fences,
    placement: { migrated: options.migrated ?? [] },
  });
  closers.push(server.close, client.close, election.close, clients.close);
  return { clients, server };
}

const NODE = { resource: NODES, name: "n" };
const EMPTY_PATCH = { kind: "merge", body: {} } as const;

/** Returns the identity behind each patch. */
function patchers({ requests }: TestApiServer): readonly string[] {
  return requests
    .filter(({ method }) => method === "PATCH")
    .map(({ headers }) => headers.authorization ?? "nobody");
}

describe("the clients of controllers", () => {
  it("share the root's identity by default", async () => {
    const { clients, server } = await fixture({});
    const [node, service] = await Promise.all([
      clients.of("cloud-node-controller"),
      clients.of("service-lb-controller"),
    ]);
    expect(node).toBe(service);
    await node.patch(NODE, EMPTY_PATCH);
    expect(patchers(server)).toEqual(["Bearer token-0"]);
  });

  it("write with their own service accounts, of which those of nodes share one", async () => {
    const { clients, server } = await fixture({
      flags: { "use-service-account-credentials": true },
    });
    const names = [
      "cloud-node-controller",
      "cloud-node-lifecycle-controller",
      "service-lb-controller",
      "node-route-controller",
      "node-ipam-controller",
      "volume-label-controller",
    ] as const;
    for (const name of names) await (await clients.of(name)).patch(NODE, EMPTY_PATCH);
    expect(patchers(server)).toEqual([
      "Bearer of-node-controller",
      "Bearer of-node-controller",
      "Bearer of-service-controller",
      "Bearer of-route-controller",
      "Bearer of-node-controller",
      "Bearer of-volume-controller",
    ]);
    const tokens = server.requests.filter(({ path }) => path.endsWith("/token"));
    expect(tokens).toHaveLength(4);
  });

  it("have limits of their own", async () => {
    const { clients } = await fixture({
      flags: {
        "use-service-account-credentials": true,
        "kube-api-qps": 0.001,
        "kube-api-burst": 1,
      },
    });
    const node = await clients.of("cloud-node-controller");
    const lifecycle = await clients.of("cloud-node-lifecycle-controller");
    await node.get(NODE);
    await expect(lifecycle.get(NODE)).resolves.toBeDefined();
  });

  it("of a standby can review their own rights, and write nothing", async () => {
    const { clients, server } = await fixture({
      flags: { "use-service-account-credentials": true },
      fences: { ...OPEN, main: () => false, of: () => () => false },
    });
    await clients.asItself?.("service-lb-controller").get(NODE);
    expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer of-service-controller");
    const fenced = await clients.of("service-lb-controller");
    await expect(fenced.patch(NODE, EMPTY_PATCH)).rejects.toMatchObject({ call: { fenced: true } });
    expect((await fixture({})).clients.asItself).toBeUndefined();
  });

  it("cannot be created if no token is granted, and say what to grant", async () => {
    const { clients } = await fixture({
      flags: { "use-service-account-credentials": true },
      refusesTokens: true,
    });
    await expect(clients.of("cloud-node-controller")).rejects.toThrow(
      /service account kube-system\/node-controller returned no token.*grant this process get and create/,
    );
  });

  it("of a dry run create no token, and read with the root's identity", async () => {
    const { clients, server } = await fixture({
      flags: { "use-service-account-credentials": true, "dry-run": true },
    });
    await (await clients.of("cloud-node-controller")).get(NODE);
    expect(server.requests.map(({ path }) => path)).toEqual(["/api/v1/nodes/n"]);
  });

  it.each([true, false])(
    "write under the Lease of their controller (identities of their own: %s)",
    async (own) => {
      let held = { main: true, migration: false };
      const { clients, server } = await fixture({
        flags: { "use-service-account-credentials": own },
        migrated: ["service-lb-controller"],
        fences: {
          ...OPEN,
          main: () => held.main,
          of: (name) => () => (name === "service-lb-controller" ? held.migration : held.main),
        },
      });
      const node = await clients.of("cloud-node-controller");
      const service = await clients.of("service-lb-controller");
      const target = { resource: SERVICES, namespace: "default", name: "s" };
      await node.patch(NODE, EMPTY_PATCH);
      await expect(service.patch(target, EMPTY_PATCH)).rejects.toMatchObject({
        call: { fenced: true },
      });
      held = { main: false, migration: true };
      await service.patch(target, EMPTY_PATCH);
      await expect(node.patch(NODE, EMPTY_PATCH)).rejects.toMatchObject({ call: { fenced: true } });
      expect(patchers(server)).toHaveLength(2);
    },
  );
});
