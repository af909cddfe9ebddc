import { expect, it } from "vitest";
import {
  changeSentence,
  changeTitle,
  notTakenSentence,
  stepTitle,
  titleText,
} from "./change-messages.ts";
import { changeTitleSchema, titleOf } from "./change-title.ts";

it("a change names its operation, object and reason", () => {
  expect(
    changeSentence({
      kind: "node.initialise",
      system: "cluster",
      target: { kind: "Node", name: "w-1" },
      before: null,
      after: null,
      reason: { code: "Uninitialised" },
    }),
  ).toBe(
    "Write provider ID and labels and remove the uninitialized taint of node w-1, because it is waiting to be initialised.",
  );
});

const WEB = { kind: "Service", namespace: "shop", name: "web" } as const;
const LISTENER = { what: "listener 443/TCP", target: "lb-1", fields: { nodePort: 31_443 } };
const ORPHAN = { kind: "LoadBalancer", name: "lb-9" } as const;
const MEMBERS = {
  what: "members",
  target: "lb-1",
  fields: { added: ["i-1", "i-2"], removed: ["i-9"], count: 41 },
};

it.each<[Parameters<typeof changeTitle>[0], string]>([
  [
    {
      kind: "balancer.create",
      target: WEB,
      before: null,
      after: { ...LISTENER, what: "load balancer" },
    },
    "Create load balancer for Service shop/web",
  ],
  [
    {
      kind: "route.create",
      target: { kind: "Node", name: "w-9" },
      before: null,
      after: { destination: "10.0.3.0/24", nextHop: "p://w-9" },
    },
    "Create the route to 10.0.3.0/24 of node w-9",
  ],
  [
    {
      kind: "route.delete",
      target: { kind: "Route", name: "r-17" },
      before: { id: "r-17", destination: "10.0.4.0/24", nextHop: "" },
      after: null,
    },
    "Delete the route to 10.0.4.0/24, r-17",
  ],
  [
    { kind: "volume.grow", target: { kind: "PersistentVolume", name: "pv-1" } },
    "Grow the disk of PersistentVolume pv-1",
  ],
  [
    {
      kind: "setting.change",
      target: { kind: "Cluster", name: "c-1" },
      before: { "node-monitor-period": "5s" },
      after: { "node-monitor-period": "10s" },
    },
    "Change --node-monitor-period from 5s to 10s",
  ],
  [
    { kind: "balancer.update", target: WEB, before: LISTENER, after: LISTENER },
    "Change listener 443/TCP of Service shop/web",
  ],
  [
    { kind: "balancer.members", target: WEB, before: null, after: MEMBERS },
    "Change the members of the load balancer of Service shop/web (2 new, 1 gone)",
  ],
  [
    {
      kind: "balancer.delete",
      target: WEB,
      before: { ...LISTENER, what: "firewall rule" },
      after: null,
    },
    "Delete firewall rule of Service shop/web",
  ],
  [
    {
      kind: "balancer.delete",
      target: ORPHAN,
      before: { ...LISTENER, what: "load balancer", target: "lb-9" },
      after: null,
    },
    "Delete load balancer lb-9",
  ],
  [{ kind: "balancer.update", target: WEB }, "Change the load balancer of Service shop/web"],
  [{ kind: "service.hold", target: WEB }, "Hold Service shop/web"],
  [{ kind: "node.hold", target: { kind: "Node", name: "w-9" } }, "Hold node w-9"],
])("%j has a title of its own", (change, title) => {
  expect(changeTitle(change)).toBe(title);
  const kept: unknown = JSON.parse(JSON.stringify(titleOf(change)));
  expect(titleText(changeTitleSchema.parse(kept))).toBe(title);
});

it.each([
  ["route.create", "create the route"],
  ["node.network-condition.write", "write the condition NetworkUnavailable"],
  ["node.delete", "delete"],
  ["providerID", "provider ID"],
  ["give pod ranges", "give pod ranges"],
])("the step %s is called %s", (step, title) => {
  expect(stepTitle(step)).toBe(title);
});

it("a step not taken has its reason", () => {
  expect(
    notTakenSentence({
      step: "Write labels",
      reason: { code: "AddressesMissing", provider: "sandbox" },
    }),
  ).toBe("Write labels: not done, because sandbox lists no address for this instance.");
});
