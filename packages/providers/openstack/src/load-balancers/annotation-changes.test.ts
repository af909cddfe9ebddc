import type { LoadBalancerPlan } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { ANNOTATION_PREFIX, ANNOTATIONS, type AnnotationName } from "./annotations.ts";
import { tagsFor } from "./ownership.ts";
import {
  annotated,
  calls,
  config,
  floatingIp,
  NETWORK,
  OWNER,
  observed,
  planned,
  type Shape,
  tree,
} from "./testing/lb-fixture.ts";

/*
 * Pains 11: each annotation set, changed and removed after its load balancer was created is applied, or reported as needing a
 * replacement.
 */

type Given = Readonly<Record<string, string>>;

interface Applied {
  /** Other annotations, set throughout. */
  readonly beside?: Given;
  /** The cloud without the annotation, with its first value, and with its second. */
  readonly without?: Shape;
  readonly first: readonly [value: string, shape: Shape];
  readonly second: readonly [value: string, shape: Shape];
  /** The first call of the plan, which may differ if it is set or removed. */
  readonly call: string;
  readonly set?: string;
  readonly removed?: string;
}

const LISTENER = "PUT listeners/li-1";
const POOL = "PUT pools/po-1";
const HEAD = "PUT loadbalancers/lb-1";
const SUBNET = "member-subnet-id";
const MEMBERS = "PUT pools/po-1/members";
const MONITORED = { "enable-health-monitor": "true" };

const listener = (field: string, first: number, second: number): Applied => ({
  first: [String(first), { listener: { [field]: first } }],
  second: [String(second), { listener: { [field]: second } }],
  call: LISTENER,
});

/** Upstream's defaults, except for the given fields. */
function monitor(more: Given | Readonly<Record<string, number>> = {}): Shape {
  return {
    monitor: {
      ...{ name: `monitor_0_${tree().name}`, type: "TCP", delay: 5, timeout: 3 },
      ...{ max_retries: 1, max_retries_down: 3, ...more },
    },
  };
}

const monitored = (field: string, first: number, second: number): Applied => ({
  beside: MONITORED,
  without: monitor(),
  first: [String(first), monitor({ [field]: first })],
  second: [String(second), monitor({ [field]: second })],
  call: "PUT healthmonitors/mo-1",
});

const tls = (ref: string): Shape => ({
  listener: { protocol: "TERMINATED_HTTPS", default_tls_container_ref: ref },
  pool: { protocol: "HTTP" },
});

const APPLIED: Readonly<Partial<Record<AnnotationName, Applied>>> = {
  "connection-limit": listener("connection_limit", 9, 8),
  "timeout-client-data": listener("timeout_client_data", 1_000, 2_000),
  "timeout-member-connect": listener("timeout_member_connect", 1_000, 2_000),
  "timeout-member-data": listener("timeout_member_data", 1_000, 2_000),
  "timeout-tcp-inspect": listener("timeout_tcp_inspect", 1_000, 2_000),
  "lb-method": {
    first: ["SOURCE_IP", { pool: { lb_algorithm: "SOURCE_IP" } }],
    second: ["LEAST_CONNECTIONS", { pool: { lb_algorithm: "LEAST_CONNECTIONS" } }],
    call: POOL,
  },
  "proxy-protocol": {
    first: ["v1", { pool: { protocol: "PROXY" } }],
    second: ["v2", { pool: { protocol: "PROXYV2" } }],
    call: "DELETE pools/po-1",
  },
  "x-forwarded-for": {
    first: [
      "true",
      {
        listener: { protocol: "HTTP", insert_headers: { "X-Forwarded-For": "true" } },
        pool: { protocol: "HTTP" },
      },
    ],
    second: ["false", {}],
    call: "DELETE pools/po-1",
  },
  "default-tls-container-ref": {
    first: ["https://barbican/1", tls("https://barbican/1")],
    second: ["https://barbican/2", tls("https://barbican/2")],
    call: LISTENER,
    set: "DELETE pools/po-1",
    removed: "DELETE pools/po-1",
  },
  "node-selector": {
    first: ["role=edge", { members: [] }],
    second: ["", {}],
    call: MEMBERS,
  },
  "enable-health-monitor": {
    first: ["true", monitor()],
    second: ["false", {}],
    call: "DELETE healthmonitors/mo-1",
    set: "POST healthmonitors",
  },
  "health-monitor-delay": monitored("delay", 11, 12),
  "health-monitor-timeout": monitored("timeout", 2, 4),
  "health-monitor-max-retries": monitored("max_retries", 2, 4),
  "health-monitor-max-retries-down": monitored("max_retries_down", 2, 4),
  "keep-floatingip": {
    first: [
      "true",
      { loadBalancer: { tags: tagsFor({ tags: [] }, OWNER, { keepsFloatingIp: true }) } },
    ],
    second: ["false", {}],
    call: HEAD,
  },
};

describe.each(Object.entries(APPLIED))("the annotation %s", (name, applied) => {
  const { beside = {}, without = {}, first, second, call, set = call, removed = call } = applied;
  const given = (value: string) => ({ ...beside, [name]: value });
  it.each<[string, Given, Shape, readonly string[]]>([
    ["set", given(first[0]), without, [set]],
    ["changed", given(second[0]), first[1], [call]],
    ["removed", beside, first[1], [removed]],
    ["as it was", given(first[0]), first[1], []],
    ["as it was changed to", given(second[0]), second[1], []],
  ])("%s after creation", (...[, annotations, shape, wanted]) => {
    expect(callsOn(annotations, shape)).toEqual(wanted);
  });
});

/**
 * Its members move to the subnet in two changes: they leave the pool, and are added again; the tag says that their subnets have
 * to be read.
 */
describe("the annotation member-subnet-id", () => {
  const at = (subnet: string, tagged?: string): Shape => ({
    loadBalancer: { tags: tagsFor({ tags: [] }, OWNER, { memberSubnetId: tagged ?? "" }) },
    members: [{ name: "n1", address: "10.0.0.1", protocol_port: 30_080, subnet_id: subnet }],
    hasDetails: tagged !== undefined,
  });
  it.each<[string, Given, Shape, readonly string[]]>([
    ["set", { [SUBNET]: "sub-2" }, at("sub-1"), [HEAD]],
    ["set and tagged", { [SUBNET]: "sub-2" }, at("sub-1", "sub-2"), [MEMBERS]],
    ["as it was", { [SUBNET]: "sub-2" }, at("sub-2", "sub-2"), []],
    ["changed", { [SUBNET]: "sub-3" }, at("sub-2", "sub-2"), [HEAD]],
    ["changed and tagged", { [SUBNET]: "sub-3" }, at("sub-2", "sub-3"), [MEMBERS]],
    ["removed", {}, at("sub-2", "sub-2"), [MEMBERS]],
    ["removed, the last member moved", {}, at("sub-1", "sub-2"), [HEAD]],
    ["removed, the tag gone", {}, at("sub-1"), []],
  ])("%s", (...[, annotations, shape, wanted]) => {
    expect(callsOn(annotations, shape)).toEqual(wanted);
  });

  it("moves members one by one if the provider takes one change at a time", () => {
    const serial = config("provider-requires-serial-api-calls = true");
    const owned = [tree(at("sub-1", "sub-2"))];
    const made = planned({
      ...{ spec: annotated({ [SUBNET]: "sub-2" }), config: serial },
      observed: observed({ owned }),
    });
    expect(calls(made)).toEqual(["DELETE pools/po-1/members/m-0"]);
  });
});

/* For properties fixed at creation, an Event says that they stay as they are. */

const MADE: Shape = {
  loadBalancer: {
    ...{ vip_subnet_id: "sub-1", vip_network_id: "net-1", flavor_id: "small" },
    ...{ availability_zone: "zone-a" },
  },
};

const FIXED: Readonly<Partial<Record<AnnotationName, string>>> = {
  "subnet-id": "sub-1",
  "network-id": "net-1",
  "port-id": "port-vip",
  "flavor-id": "small",
  "availability-zone": "zone-a",
  "floating-network-id": NETWORK,
};

describe.each(Object.entries(FIXED))("the annotation %s", (name, madeWith) => {
  it.each<[string, Given, number]>([
    ["set to another value", { [name]: "other" }, 1],
    ["set to what is there", { [name]: madeWith }, 0],
    ["removed", {}, 0],
  ])("%s after creation writes nothing", (_, given, notices) => {
    const made = fixedPlan(given);
    expect(calls(made)).toEqual([]);
    const expected = `${ANNOTATION_PREFIX}${name} asks for other, but the `;
    expect(needing(made)).toHaveLength(notices);
    for (const { message } of needing(made)) {
      expect(message).toContain(expected);
      expect(message).toContain(`was created with ${madeWith}`);
    }
  });
});

it.each([
  [
    "subnet-id = sub-2",
    /^The class gold of .*\/class asks for sub-2, but the load balancer was created with sub-1/,
  ],
  ["network-id = net-2", /asks for net-2, but the load balancer was created with net-1/],
  [
    "floating-network-id = net-2",
    /asks for net-2, but the floating IP was created with net-public/,
  ],
])(
  "the annotation class set after creation, of a class with %s, writes nothing and says so",
  (line, says) => {
    const made = fixedPlan({ class: "gold" }, config("", `[LoadBalancerClass "gold"]\n${line}\n`));
    expect(calls(made)).toEqual([]);
    expect(needing(made).map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  },
);

function fixedPlan(given: Given, conf = config()): LoadBalancerPlan {
  return planned({
    ...{ spec: annotated(given), config: conf },
    observed: observed({
      owned: [tree(MADE)],
      floatingIps: [floatingIp({ floating_network_id: NETWORK })],
    }),
  });
}

function needing({ notices = [] }: LoadBalancerPlan) {
  return notices.filter(({ reason }) => reason === "LoadBalancerNeedsReplacement");
}

/* The subnet from which its address was allocated is not visible anywhere: the next floating IP comes from the requested one. */

it.each(["floating-subnet-id", "floating-subnet", "floating-subnet-tags"])(
  "the annotation %s set after there is a floating IP leaves it",
  (name) => expect(callsOn({ [name]: "other" }, {})).toEqual([]),
);

it("the annotation hostname is published immediately, and the address again without it", () => {
  const published = (given: Given) => planned({ spec: annotated(given) }).status?.ingress;
  expect(published({ hostname: "web.example.org" })).toEqual([{ hostname: "web.example.org" }]);
  expect(published({})).toMatchObject([{ ip: "203.0.113.5" }]);
});

it.each(["load-balancer-id", "load-balancer-address"])(
  "the annotation %s says what there is: one that is changed or removed is written again",
  (name) => {
    for (const given of [{ [name]: "other" }, {}]) {
      const made = planned({ spec: annotated(given) });
      expect(calls(made)).toEqual([]);
      expect(made.annotations).toMatchObject({
        [`${ANNOTATION_PREFIX}load-balancer-id`]: "lb-1",
        [`${ANNOTATION_PREFIX}load-balancer-address`]: "203.0.113.5",
      });
    }
  },
);

it("every annotation is tested here", () => {
  const elsewhere = [SUBNET, "class", "hostname", "load-balancer-id", "load-balancer-address"];
  const floating = ["floating-subnet-id", "floating-subnet", "floating-subnet-tags"];
  const tried = [...Object.keys(APPLIED), ...Object.keys(FIXED), ...elsewhere, ...floating];
  expect(new Set(tried)).toEqual(new Set(Object.keys(ANNOTATIONS)));
  expect(tried).toHaveLength(new Set(tried).size);
});

function callsOn(annotations: Given, shape: Shape): readonly string[] {
  return calls(
    planned({ spec: annotated(annotations), observed: observed({ owned: [tree(shape)] }) }),
  );
}
