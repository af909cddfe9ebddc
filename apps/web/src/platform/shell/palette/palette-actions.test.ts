import type { FoundObject } from "@cloudwright/store/views/find";
import { describe, expect, it } from "vitest";
import { controller, instance } from "../../../testing/cluster-view.ts";
import { type ActionsInput, actionEntries, typedActions } from "./palette-actions.ts";

const read = (text: string) =>
  typedActions(text).map(({ kind, rest, isWhole }) => `${kind} ${isWhole ? "of" : "?"} ${rest}`);

describe("what a text requests", () => {
  it.each<[string, readonly string[]]>([
    ["", []],
    ["node-21", []],
    ["hold node-21", ["hold of node-21"]],
    ["HOLD  shop/web ", ["hold of shop/web"]],
    ["retry node-21", ["retry of node-21"]],
    ["retry now node-21", ["retry of node-21"]],
    ["override node-1", ["override of node-1"]],
    ["override taint node-1", ["override of node-1"]],
    ["write all again shop/web", ["reensure of shop/web"]],
    ["reensure shop/web", ["reensure of shop/web"]],
    ["release node-1", ["release of node-1", "release-guard of node-1"]],
    ["release guard", ["release of guard", "release-guard of "]],
    ["dry run node-1", ["dry-run of node-1"]],
    ["pause", ["pause of "]],
    ["pau", ["pause ? "]],
    ["holder", []],
  ])("of %s is", (text, actions) => {
    expect(read(text)).toEqual(actions);
  });
});

function object(kind: string, name: string, over: Partial<FoundObject> = {}): FoundObject {
  const uid = `u-${name}`;
  return { kind, name, uid, state: "ok", providerID: undefined, address: undefined, ...over };
}

const PAUSED = { by: "Ana", why: "INC-1", until: 5_000 } as const;
const LEADER = instance({
  controllers: [
    controller("cloud-node-controller"),
    controller("service-lb-controller"),
    controller("node-route-controller", { paused: PAUSED }),
  ],
});

function offered(text: string, over: Partial<ActionsInput> = {}) {
  const typed = typedActions(text);
  return actionEntries({ cluster: "c-1", typed, objects: [], leader: LEADER, ...over });
}

const labels = (text: string, over: Partial<ActionsInput> = {}) =>
  offered(text, over).map(({ label }) => label);

describe("the offered actions", () => {
  const objects = [
    object("Node", "node-21"),
    object("Service", "shop/web"),
    object("PersistentVolume", "pv-1"),
    object("LoadBalancer", "lb-9"),
    object("Route", "r-1"),
    object("Node", "node-20", { state: "gone" }),
  ];

  it.each<[string, readonly string[]]>([
    ["hold x", ["Hold node node-21", "Hold Service shop/web", "Hold volume pv-1"]],
    ["override x", ["Override the taint of node node-21"]],
    ["reensure x", ["Write the load balancer of Service shop/web again"]],
    ["remove x", ["Remove load balancer lb-9"]],
    ["adopt x", []],
  ])("for %s are what applies to the found objects", (text, expected) => {
    expect(labels(text, { objects })).toEqual(expected);
  });

  it("retry everything that a controller works on, and a node through all of its loops", () => {
    const entries = offered("retry x", { objects });
    expect(entries.map(({ choice }) => choice?.object.kind)).toEqual([
      ...["Node", "Service", "PersistentVolume", "Route"],
    ]);
    expect(entries[0]?.choice).toMatchObject({ kind: "retry", scope: "object" });
    expect(entries[1]?.choice?.object).toEqual({
      ...{ kind: "Service", namespace: "shop", name: "web", uid: "u-shop/web" },
    });
  });

  it("are only a preview in a dry run, which a viewer may request", () => {
    const [entry] = offered("dry run x", { objects });
    expect(entry).toMatchObject({ label: "Dry run of node node-21", asks: "preview" });
    expect(entry?.choice?.isDryRun).toBe(true);
  });

  it.each<[string, readonly string[]]>([
    ["pause", ["Pause Node initialisation", "Pause Load balancers", "Extend the pause of Routes"]],
    ["pause service-lb-controller", ["Pause Load balancers"]],
    ["pause service", ["Pause Load balancers"]],
    ["pause load bal", ["Pause Load balancers"]],
    ["resume", ["Resume Routes"]],
    ["resume service", []],
    ["pause nothing", []],
  ])("for %s are what its controllers allow", (text, expected) => {
    expect(labels(text)).toEqual(expected);
  });

  it("say why nothing can be paused if the leader cannot store it", () => {
    const leader = { ...LEADER, dryRun: true };
    expect(offered("pause service", { leader })[0]?.obstacle).toMatch(/dry run/);
    expect(offered("pause", { leader: undefined })).toEqual([]);
  });

  it("name the number of held deletions", () => {
    const held = [1, 2].map((each) => ({
      ...{ name: `w-${each}`, uid: `u-${each}`, since: 1, because: "The cloud has no machine." },
    }));
    const guard = { limit: 5, windowMs: 600_000, deleted: 5, held };
    const leader = { ...LEADER, controls: { pauses: [], guard } };
    expect(labels("release", { leader })).toContain("Release 2 held deletions");
  });

  it("ask for a name if none is typed, but not for actions that need more than a name", () => {
    expect(offered("hold")).toMatchObject([
      {
        label: "Hold…",
        description: "Then type the name of a node, a Service or a volume",
        completes: "hold ",
      },
    ]);
    expect(labels("re")).toEqual([
      ...["Retry now…", "Release…", "Write all again…", "Remove…", "Resume Routes"],
    ]);
    expect(labels("adopt")).toEqual([]);
  });
});
