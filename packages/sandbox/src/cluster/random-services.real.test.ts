import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import { create, MERGE, patch, put, STRATEGIC, type Step, verdict } from "./testing/comparison.ts";
import { missingRealCluster, type RealCluster, startRealCluster } from "./testing/real-cluster.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const NAMES = ["one", "two", "three", "four"];
const SEEDS = [11, 22, 33];
const STEPS = 300;

/** Valid and invalid values of a field, and how often it is set at all. */
const REQUESTS: Readonly<Record<string, readonly [share: number, values: readonly unknown[]]>> = {
  type: [0.7, ["ClusterIP", "NodePort", "LoadBalancer", "LoadBalancer", "ExternalName", "Foo"]],
  clusterIP: [0.25, ["None", "", "10.96.0.40", "10.96.0.41", "fd00:96::40", "foo", null]],
  clusterIPs: [
    0.2,
    [[], ["None"], ["10.96.0.40"], ["10.96.0.40", "fd00:96::40"], ["10.96.0.41", "10.96.0.40"]],
  ],
  ipFamilies: [0.3, [["IPv4"], ["IPv6"], ["IPv4", "IPv6"], ["IPv6", "IPv4"], ["IPv4", "IPv4"], []]],
  ipFamilyPolicy: [0.4, ["SingleStack", "PreferDualStack", "RequireDualStack", null, "Foo"]],
  externalTrafficPolicy: [0.3, ["Local", "Local", "Cluster", "", "Foo"]],
  healthCheckNodePort: [0.15, [30_010, 30_011, 0, 5]],
  sessionAffinity: [0.2, ["None", "ClientIP", "", "Foo"]],
  sessionAffinityConfig: [
    0.15,
    [
      { clientIP: { timeoutSeconds: 5 } },
      { clientIP: {} },
      {},
      { clientIP: { timeoutSeconds: 0 } },
    ],
  ],
  loadBalancerClass: [0.15, ["a/b", "c/d", "", null, "a b"]],
  allocateLoadBalancerNodePorts: [0.2, [true, false, null]],
  loadBalancerSourceRanges: [0.15, [["10.0.0.0/8"], [], ["foo"], ["10.0.0.1/8"], null]],
  loadBalancerIP: [0.1, ["192.0.2.1", "", "2001:DB8::1"]],
  externalIPs: [0.15, [["192.0.2.5"], [], ["127.0.0.1"], null]],
  externalName: [0.25, ["a.b", "A_", "", "x.y."]],
  selector: [0.4, [{ a: "b" }, {}, null]],
  trafficDistribution: [0.1, ["PreferClose", "PreferSameZone", "Foo", null]],
};
const PORT_REQUESTS: typeof REQUESTS = {
  name: [0.7, ["a", "b", "c", "A"]],
  protocol: [0.5, ["TCP", "UDP", "SCTP", "Foo"]],
  targetPort: [0.5, [8080, "http", 0, "", 70_000]],
  nodePort: [0.4, [30_001, 30_002, 30_003, 0, 99]],
  appProtocol: [0.3, ["http", "a b"]],
};
const POINT_REQUESTS: typeof REQUESTS = {
  ip: [0.7, ["192.0.2.1", "2001:db8::1", "foo", "010.1.1.1"]],
  hostname: [0.4, ["a.b", "A_", "192.0.2.1"]],
  ipMode: [0.4, ["VIP", "Proxy", "Foo"]],
  ports: [0.3, [[{ port: 1, protocol: "TCP" }], [{ port: 0, protocol: "Foo", error: "a b" }]]],
};

/** Makes random requests, the same ones for the same seed. */
class Inventor {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  step(number: number): Step {
    const name = this.#pick(NAMES);
    const path = `${SERVICES}/${name}`;
    const metadata = { name, ...this.#metadata() };
    return { does: `step ${number}`, ...this.#request(path, metadata) };
  }

  #request(path: string, metadata: object) {
    const kind = this.#pick(["create", "create", "put", "merge", "merge", "status", "delete"]);
    switch (kind) {
      case "create":
        return create(SERVICES, { metadata, spec: this.#spec(0.93) });
      case "put":
        return put(path, { metadata, spec: this.#spec(0.93) });
      case "merge":
        return patch(path, this.#pick([MERGE, STRATEGIC]), { spec: this.#spec(0.3) });
      case "status":
        return patch(`${path}/status`, this.#pick([MERGE, STRATEGIC]), {
          ...(this.#happens(0.3) ? { metadata: this.#metadata() } : {}),
          status: {
            loadBalancer: { ingress: this.#several(2, () => this.#options(POINT_REQUESTS)) },
          },
        });
      default:
        return { method: "DELETE", path };
    }
  }

  #metadata(): object {
    return this.#options({
      finalizers: [0.2, [["a.b/c"], [], ["a.b/c", "d.e/f"]]],
      labels: [0.2, [{ l: "1" }, { l: "2" }, { l: "x y" }]],
    });
  }

  #spec(shareWithPorts: number): object {
    const ports = () => this.#several(3, (index) => this.#port(index));
    return {
      ...this.#options(REQUESTS),
      ...(this.#happens(shareWithPorts) ? { ports: ports() } : {}),
    };
  }

  #port(index: number): object {
    return this.#happens(0.6)
      ? { name: `p${index}`, port: 80 + index }
      : { ...this.#options(PORT_REQUESTS), port: this.#pick([80, 81, 443, 0]) };
  }

  #options(requests: typeof REQUESTS): object {
    const granted = Object.entries(requests).filter(([, [share]]) => this.#happens(share));
    return Object.fromEntries(granted.map(([field, [, values]]) => [field, this.#pick(values)]));
  }

  #several<Item>(most: number, invent: (index: number) => Item): Item[] {
    const length = this.#pick([1, 1, 0, 2, most]);
    return Array.from({ length }, (_none, index) => invent(index));
  }

  #pick<Item>(items: readonly Item[]): Item {
    // The index is within the list, and no list here is empty.
    return items[Math.floor(this.#next() * items.length)] as Item;
  }

  #happens(share: number): boolean {
    return this.#next() < share;
  }

  /** Mulberry32: small, and good enough to pick by. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

const missing = missingRealCluster();

describe.skipIf(missing !== undefined)("services that nobody would think of", () => {
  let real: RealCluster;
  let sandbox: TestCluster;
  let realClient: ApiClient;

  beforeAll(async () => {
    real = startRealCluster();
    realClient = new ApiClient(real.access);
    sandbox = await startTestCluster();
  });
  afterAll(async () => {
    await realClient.close();
    await sandbox.discard();
    real.discard();
  });

  it.each(SEEDS)(
    "are treated as a real API server treats them, from seed %i",
    async (seed) => {
      const inventor = new Inventor(seed);
      for (const number of Array.from({ length: STEPS }).keys()) {
        const step = inventor.step(number);
        const [expected, overridden] = [
          await essence(realClient, step),
          await essence(sandbox.client, step),
        ];
        expect({ step, told: overridden }).toEqual({ step, told: expected });
      }
    },
    60_000,
  );
});

/** Returns the verdict without the warnings about a taken name, and without what upstream only hides from reads. */
async function essence(client: ApiClient, step: Step): Promise<unknown> {
  const overridden = await verdict(client, step);
  const text = JSON.stringify(overridden, (key, value: unknown) =>
    key === "spec" && typeof value === "object" && isNamed(value)
      ? { ...value, internalTrafficPolicy: undefined }
      : value,
  );
  const plain: Record<string, unknown> = JSON.parse(text);
  return plain.status === 409 ? { ...plain, warning: undefined } : plain;
}

function isNamed(spec: object | null): boolean {
  return spec !== null && "type" in spec && spec.type === "ExternalName";
}
