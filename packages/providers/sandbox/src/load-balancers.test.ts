import type { LoadBalancerOwner, LoadBalancerSpec } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it } from "vitest";
import { createCloudClient } from "./cloud-client.ts";
import type { LoadBalancer } from "./load-balancer.ts";
import { createLoadBalancers } from "./load-balancers.ts";
import { loadBalancerName, tagsOf } from "./owners.ts";
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  startScriptedCloud,
  testContext,
} from "./testing/scripted-cloud.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function ownerOf(number: number): LoadBalancerOwner {
  return {
    clusterUid: "c-1",
    objectUid: `0000000${number}-0000-4000-8000-000000000000`,
    namespace: "shop",
    name: `s-${number}`,
    clusterName: "prod",
  };
}

function specOf(owner: LoadBalancerOwner, more: Partial<LoadBalancerSpec> = {}): LoadBalancerSpec {
  return {
    owner,
    internal: false,
    listeners: [],
    members: [],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: 30_080 },
    affinity: { kind: "none" },
    families: ["IPv4"],
    annotations: {},
    ...more,
  };
}

function loadBalancerFor(owner: LoadBalancerOwner, more: Partial<LoadBalancer> = {}): LoadBalancer {
  return {
    id: `lb-${owner.name}`,
    name: loadBalancerName(owner),
    state: "active",
    address: "198.19.0.1",
    tags: tagsOf(owner),
    listeners: [],
    members: [],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: 30_080 },
    proxyProtocol: false,
    internal: false,
    affinity: { kind: "none" },
    families: ["IPv4"],
    createdAt: "2026-01-01T00:00:00.000Z",
    ...more,
  };
}

type Answer = (url: URL, request: ScriptedRequest) => ScriptedAnswer;

const EMPTY: ScriptedAnswer = { body: { items: [], next: null } };

function refusal(status: number, error: object): ScriptedAnswer {
  return { status, body: { error: { message: "no", ...error } } };
}

async function cloudThat(answer: Answer) {
  const cloud = await startScriptedCloud(answer);
  const client = createCloudClient({ endpoint: cloud.endpoint, token: "t0ken-of-test" }, "test");
  closers.push(
    () => client.close(),
    () => cloud.close(),
  );
  const loadBalancers = createLoadBalancers(client);
  const observedOf = async (owner: LoadBalancerOwner) => {
    const answers = await loadBalancers.observe([owner], testContext());
    const seen = answers.get(owner.objectUid);
    if (seen?.kind !== "known") throw new Error("it was not observed");
    return seen.observed;
  };
  /** Applies the first change of the plan for the spec. */
  const applied = async (spec: LoadBalancerSpec) => {
    const { owner } = spec;
    const observed = await observedOf(owner);
    const plan = await loadBalancers.plan({ owner, spec, observed, published: { ingress: [] } });
    const [change] = plan.changes;
    if (change === undefined) throw new Error("nothing is planned");
    const before = cloud.requests.length;
    const context = testContext();
    const answered = await loadBalancers.apply(change, context).catch((error: unknown) => error);
    return { answered, requests: cloud.requests.slice(before), calls: context.calls };
  };
  return { cloud, balancers: loadBalancers, observedOf, applied };
}

describe("observing", () => {
  it("takes one read for a load balancer without restrictions", async () => {
    const owner = ownerOf(1);
    const { cloud, observedOf } = await cloudThat(() => ({
      body: { items: [loadBalancerFor(owner)], next: null },
    }));
    expect(await observedOf(owner)).toEqual({
      balancers: [loadBalancerFor(owner)],
      candidates: [],
    });
    expect(cloud.requests).toHaveLength(1);
  });

  it("looks for rules and namesakes only if there is no load balancer, and ignores what was not requested", async () => {
    const owner = ownerOf(1);
    const { cloud, observedOf } = await cloudThat((url) =>
      url.searchParams.has("name")
        ? {
            body: {
              items: [loadBalancerFor(owner, { tags: {} }), loadBalancerFor(ownerOf(2))],
              next: null,
            },
          }
        : EMPTY,
    );
    expect(await observedOf(owner)).toEqual({
      balancers: [],
      candidates: [loadBalancerFor(owner, { tags: {} })],
      rules: [],
    });
    expect(cloud.requests).toHaveLength(3);
  });

  it("takes one listing for many, and a query of names for those without a load balancer", async () => {
    const owners = [1, 2, 3, 4, 5].map(ownerOf);
    const there = owners.slice(0, 4).map((owner) => loadBalancerFor(owner));
    const { cloud, balancers: loadBalancers } = await cloudThat(({ pathname, searchParams }) =>
      pathname === "/v1/load-balancers" && searchParams.has("tag")
        ? { body: { items: there, next: null } }
        : EMPTY,
    );
    const answers = await loadBalancers.observe(owners, testContext());
    expect(answers.size).toBe(5);
    expect(cloud.requests).toHaveLength(3);
    const one = answers.get(ownerOf(2).objectUid);
    expect(one).toMatchObject({ kind: "known", observed: { balancers: [{ id: "lb-s-2" }] } });
  });

  it("fails for all if one page is missing", async () => {
    const owners = [1, 2, 3, 4, 5].map(ownerOf);
    const { balancers: loadBalancers } = await cloudThat(({ searchParams }) =>
      searchParams.has("cursor")
        ? refusal(500, { code: "internal" })
        : { body: { items: [loadBalancerFor(ownerOf(1))], next: "2" } },
    );
    const answers = await loadBalancers.observe(owners, testContext());
    expect([...answers.values()].map(({ kind }) => kind)).toEqual(owners.map(() => "failed"));
    await expect(loadBalancers.owned("c-1", testContext())).rejects.toMatchObject({
      code: "Unavailable",
    });
  });
});

describe("applying", () => {
  it("creates with a key of the owner, and needs no read afterwards", async () => {
    const owner = ownerOf(1);
    const keys: unknown[] = [];
    const { applied } = await cloudThat((_url, { method, headers }) => {
      if (method !== "POST") return EMPTY;
      keys.push(headers["idempotency-key"]);
      return { status: 201, body: loadBalancerFor(owner) };
    });
    const { answered, calls } = await applied(specOf(owner));
    expect(answered).toMatchObject({ balancers: [{ id: "lb-s-1" }] });
    expect(keys).toEqual([`c-1/${owner.objectUid}/0`]);
    expect(calls).toEqual([
      { operation: "POST /v1/load-balancers", target: loadBalancerName(owner), mutates: true },
    ]);
  });

  it("takes another key if the first key's load balancer is gone", async () => {
    const owner = ownerOf(1);
    const keys: unknown[] = [];
    const { applied } = await cloudThat(({ pathname }, { method, headers }) => {
      if (method === "GET") {
        return pathname.endsWith("/lb-gone") ? refusal(404, { code: "not_found" }) : EMPTY;
      }
      keys.push(headers["idempotency-key"]);
      return keys.length === 1
        ? { status: 200, body: loadBalancerFor(owner, { id: "lb-gone" }) }
        : { status: 201, body: loadBalancerFor(owner) };
    });
    const { answered } = await applied(specOf(owner));
    expect(answered).toMatchObject({ balancers: [{ id: "lb-s-1" }] });
    expect(keys).toEqual([`c-1/${owner.objectUid}/0`, `c-1/${owner.objectUid}/1`]);
  });

  it("uses the load balancer that the key created before, if it still exists", async () => {
    const owner = ownerOf(1);
    const first = loadBalancerFor(owner, { id: "lb-first" });
    const { applied } = await cloudThat(({ pathname }, { method }) => {
      if (method === "POST") return { status: 200, body: first };
      return pathname.endsWith("/lb-first") ? { body: first } : EMPTY;
    });
    expect((await applied(specOf(owner))).answered).toMatchObject({
      balancers: [{ id: "lb-first" }],
    });
  });

  it.each([
    [
      "that the cloud does not know",
      "sandbox://i-2",
      refusal(400, { code: "invalid", field: "members.1" }),
      1,
    ],
    ["of another cloud, without asking", "aws:///i-2", EMPTY, 0],
  ])("names a member %s", async (...[_case, providerID, answer, requests]) => {
    const owner = ownerOf(1);
    const { applied } = await cloudThat((_url, { method }) => (method === "POST" ? answer : EMPTY));
    const members = ["sandbox://i-1", providerID].map((id) => ({
      nodeName: id,
      providerID: id,
      addresses: [],
    }));
    const made = await applied(specOf(owner, { members }));
    expect(made.answered).toMatchObject({ code: "Invalid", call: { member: providerID } });
    expect(made.requests).toHaveLength(requests);
  });

  it("names the field that asks for an address in use", async () => {
    const { applied } = await cloudThat((_url, { method }) =>
      method === "POST"
        ? refusal(409, { code: "conflict", message: "The address 198.19.0.7 is taken" })
        : EMPTY,
    );
    const spec = specOf(ownerOf(1), { requestedAddress: "198.19.0.7" });
    expect((await applied(spec)).answered).toMatchObject({
      code: "Invalid",
      call: { field: "loadBalancerIP", status: 409 },
    });
  });

  it("asks for another observation if the cloud is busy or the load balancer is gone", async () => {
    const owner = ownerOf(1);
    for (const [answer, code] of [
      [refusal(409, { code: "busy" }), "Conflict"],
      [refusal(404, { code: "not_found" }), "NotFound"],
    ] as const) {
      const there = loadBalancerFor(owner, { proxyProtocol: true });
      const { applied } = await cloudThat((_url, { method }) =>
        method === "PATCH" ? answer : { body: { items: [there], next: null } },
      );
      expect((await applied(specOf(owner))).answered).toMatchObject({ code });
    }
  });

  it("passes on when an unavailable cloud may be retried", async () => {
    const { applied } = await cloudThat((_url, { method }) =>
      method === "POST"
        ? { ...refusal(503, { code: "unavailable" }), headers: { "retry-after": "7" } }
        : EMPTY,
    );
    expect((await applied(specOf(ownerOf(1)))).answered).toMatchObject({
      code: "Unavailable",
      call: { retryAfterMs: 7_000, status: 503 },
    });
  });
});

describe("listing what is ours", () => {
  it("reports each load balancer with its rules, and rules left without one", async () => {
    const [first, second] = [ownerOf(1), ownerOf(2)];
    const rules = [first, second].map((owner) => ({
      id: `fw-${owner.name}`,
      name: "n",
      tags: tagsOf(owner),
      sourceRanges: [],
      createdAt: "2026-01-01T00:00:00.000Z",
    }));
    const { balancers: loadBalancers } = await cloudThat(({ pathname }) => ({
      body: {
        items: pathname === "/v1/firewall-rules" ? rules : [loadBalancerFor(first)],
        next: null,
      },
    }));
    expect(await loadBalancers.owned("c-1", testContext())).toMatchObject([
      {
        owner: { clusterUid: "c-1", objectUid: first.objectUid },
        service: "shop/s-1",
        facts: { id: "lb-s-1", parts: [{ id: "fw-s-1" }] },
      },
      { owner: { objectUid: second.objectUid }, facts: { id: "fw-s-2", type: "firewall rule" } },
    ]);
  });
});
