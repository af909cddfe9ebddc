import { describe, expect, it } from "vitest";
import { markedDescription, tagsFor } from "../ownership.ts";
import {
  annotated,
  calls,
  config,
  floatingIp,
  OTHER,
  OWNER,
  observed,
  type Planning,
  planned,
  type Shape,
  spec,
  tree,
} from "../testing/lb-fixture.ts";

describe("the owner of a load balancer", () => {
  const unmarked = (shape: Shape = {}) =>
    tree({ ...shape, loadBalancer: { tags: [], ...shape.loadBalancer } });
  const withCandidate = (one: ReturnType<typeof tree>) =>
    ({ observed: observed({ owned: [], candidates: [one] }) }) satisfies Planning;

  it("asks before it adopts an unmarked one with its name", () => {
    const made = planned(withCandidate(unmarked()));
    expect(made.changes).toEqual([]);
    expect(made.next).toMatchObject({ kind: "unowned", id: "lb-1" });
  });

  it("adopts upstream's unchanged except for the mark, and finds nothing more to do", () => {
    const one = unmarked({ loadBalancer: { tags: ["kube_service_kubernetes_shop_web"] } });
    const made = planned({ ...withCandidate(one), proven: "lb-1" });
    expect(made.changes).toMatchObject([{ action: "adopt", target: "lb-1" }]);
    const [{ after } = { after: {} }] = made.changes;
    expect(after).toMatchObject({ name: one.name, description: one.description });
    expect(planned().changes).toEqual([]);
  });

  it("names what an adoption would remove", () => {
    const one = unmarked({ listener: { protocol_port: 53 } });
    expect(planned({ ...withCandidate(one), consent: "lb-1" }).next).toMatchObject({
      kind: "unowned",
      others: ["listener 53/TCP", "member n1"],
    });
  });

  it("creates its own beside another cluster's with the same name", () => {
    const theirs = tree({}, { ...OTHER, name: "web", clusterUid: "other" });
    expect(calls(planned(withCandidate(theirs)))).toEqual(["create load balancer"]);
  });

  it("refuses another cluster's load balancer that the Service names", () => {
    const theirs = tree({}, { ...OTHER, clusterUid: "other" });
    const asked = annotated({ "load-balancer-id": "lb-1" });
    expect(planned({ ...withCandidate(theirs), spec: asked }).next).toEqual({
      ...{ kind: "foreign", id: "lb-1", owner: "the cluster other" },
    });
  });

  it("renames what the cluster created under another name, children first", () => {
    const former = { ...OWNER, clusterName: "old" };
    const one = tree({}, former);
    expect(calls(planned({ observed: observed({ owned: [one] }) }))).toEqual([
      "PUT listeners/li-1",
    ]);
    const renamed = tree({ loadBalancer: { name: "kube_service_old_shop_web", tags: one.tags } });
    const made = planned({ observed: observed({ owned: [renamed] }) });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1"]);
    expect(made.changes[0]?.after).toMatchObject({ name: "kube_service_kubernetes_shop_web" });
    expect(made.notices).toMatchObject([{ reason: "LoadBalancerRename" }]);
  });
});

describe("sharing", () => {
  const theirs = () => tree({}, OTHER);
  const named = annotated({ "load-balancer-id": "lb-1" });
  const port = spec({
    ...named,
    listeners: [{ name: "", protocol: "TCP", port: 443, nodePort: 30_443 }],
  });
  const joined = () => tree({ loadBalancer: { tags: tagsFor(theirs(), OWNER) } }, OTHER);

  it("adds its mark first, and removes nothing of the others'", () => {
    const made = planned({ spec: port, observed: observed({ owned: [], candidates: [theirs()] }) });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1"]);
    expect(made.changes[0]?.after).toMatchObject({
      name: theirs().name,
      tags: expect.arrayContaining([...theirs().tags]),
    });
  });

  it("adds its listener, and checks the load balancer's state first", () => {
    const made = planned({ spec: port, observed: observed({ owned: [joined()] }) });
    expect(calls(made)).toEqual(["POST listeners"]);
    expect(made.changes[0]?.request).toMatchObject({ shared: "lb-1" });
  });

  it("is refused for a port that another Service has", () => {
    const made = planned({ spec: named, observed: observed({ owned: [joined()] }) });
    expect(made.changes).toEqual([]);
    expect(made.next).toMatchObject({ kind: "unsupported", field: "port 80/TCP" });
  });

  it("is refused if the maximum number of Services share it", () => {
    const full = tree(
      { loadBalancer: { tags: [...theirs().tags, "kube_service_kubernetes_a_b"] } },
      OTHER,
    );
    const made = planned({ spec: port, observed: observed({ owned: [], candidates: [full] }) });
    expect(made.next).toMatchObject({ kind: "unsupported", field: "load-balancer-id" });
  });

  it("ends with the others' parts left in place", () => {
    const two = joined();
    const made = planned({ spec: undefined, observed: observed({ owned: [two] }) });
    expect(calls(made)).toEqual(["PUT loadbalancers/lb-1"]);
    const [{ after } = { after: {} }] = made.changes;
    expect(after).toEqual({ tags: theirs().tags });
  });

  it("gives it no floating IP of its own", () => {
    const made = planned({
      spec: port,
      observed: observed({ owned: [joined()], floatingIps: [] }),
    });
    expect(calls(made)).toEqual(["POST listeners"]);
  });
});

describe("removal", () => {
  const gone: Planning = { spec: undefined };

  it("deletes the floating IP first, then the load balancer in one cascade", () => {
    expect(calls(planned(gone))).toEqual(["DELETE floatingips/fip-1", "DELETE loadbalancers/lb-1"]);
  });

  it("detaches a floating IP that is not ours or has to be kept", () => {
    const keeping = {
      ...OWNER,
      annotations: { "loadbalancer.openstack.org/keep-floatingip": "true" },
    };
    for (const made of [
      planned({ ...gone, owner: keeping }),
      planned({
        ...gone,
        observed: observed({ floatingIps: [floatingIp({ description: "mine" })] }),
      }),
      planned({
        ...gone,
        observed: observed({
          floatingIps: [
            floatingIp({
              description:
                "Floating IP for Kubernetes external service shop/web from cluster other",
            }),
          ],
        }),
      }),
    ])
      expect(calls(made)).toEqual(["PUT floatingips/fip-1", "DELETE loadbalancers/lb-1"]);
  });

  it("keeps a floating IP as the Service last requested, even if the Service is gone", () => {
    const kept = tree();
    const tags = [...kept.tags, "cloudwright:keep-floatingip=true"];
    const made = planned({
      ...gone,
      observed: observed({ owned: [tree({ loadBalancer: { tags } })] }),
    });
    expect(calls(made)[0]).toBe("PUT floatingips/fip-1");
  });

  it("deletes part by part if cascades are switched off", () => {
    const made = planned({ ...gone, config: config("cascade-delete = false") });
    expect(calls(made)).toEqual(["DELETE floatingips/fip-1", "DELETE pools/po-1"]);
  });

  it("finds what was left when somebody else deleted the load balancer", () => {
    const leftAs = (description: string) =>
      observed({ owned: [], floatingIps: [floatingIp({ port_id: null, description })] });
    const marked = leftAs(markedDescription("Floating IP", OWNER));
    expect(calls(planned({ ...gone, observed: marked }))).toEqual(["DELETE floatingips/fip-1"]);
    const unmarked = leftAs(floatingIp().description);
    expect(calls(planned({ ...gone, observed: unmarked }))).toEqual([]);
  });

  it("does not touch anything without a mark", () => {
    const made = planned({
      ...gone,
      observed: observed({ owned: [], candidates: [tree()], floatingIps: [] }),
    });
    expect(made.changes).toEqual([]);
    expect(made.candidates).toHaveLength(1);
  });
});
