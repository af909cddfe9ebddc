import { randomUUID } from "node:crypto";
import type { Role } from "../fixtures/dashboard.ts";

const HOUR_MS = 3_600_000;

/** The objects of the calls below. None of them may change before an admin's call. */
export interface Fixture {
  readonly cluster: string;
  readonly node: { readonly kind: "Node"; readonly name: string; readonly uid: string };
  readonly person: string;
  readonly session: string;
  readonly intent: string;
  /** Another action, which waits for approval. */
  readonly approval: string;
  /** A third action, in a batch. */
  readonly inBatch: { readonly id: string; readonly batch: string };
  readonly token: string;
  /** A webhook of the cluster. */
  readonly webhook: string;
  /** A view shared by an admin. */
  readonly view: string;
  /** Written by none of the three users. */
  readonly comment: string;
  readonly incident: string;
}

interface Case {
  readonly name: string;
  readonly path: string;
  /** The lowest role that may make the call. */
  readonly needs: Role;
  readonly input: (fixture: Fixture) => object;
}

export const NODE = "cloud-node-controller";

const LIFECYCLE = "cloud-node-lifecycle-controller";

const SERVICE = "service-lb-controller";

/** A webhook to an address where nobody listens. */
export const WEBHOOK = {
  name: "w",
  form: "slack",
  rules: { guard: {} },
  url: "http://127.0.0.1:9/",
};

export const VIEW = { name: "stuck", shared: true, list: { page: "nodes", search: "state=stuck" } };

/** The calls, in an order in which an admin can make all of them. */
export const CASES: readonly Case[] = [
  { name: "verify", path: "audit.verify", needs: "viewer", input: ({ cluster }) => ({ cluster }) },
  {
    name: "decline",
    path: "approvals.decide",
    needs: "operator",
    input: ({ cluster, approval: id }) => ({ cluster, id, decision: "decline", why: "trying" }),
  },
  {
    name: "decline a batch",
    path: "approvals.decideBatch",
    needs: "operator",
    input: ({ cluster, inBatch: { id, batch } }) => ({
      ...{ cluster, batch, actions: [{ id }], decision: "decline", why: "trying" },
    }),
  },
  {
    name: "no approval any more",
    path: "approvals.setPolicy",
    needs: "admin",
    input: ({ cluster }) => ({ cluster, required: false, why: "trying" }),
  },
  { name: "cancel", path: "intents.cancel", needs: "admin", input: ofIntent },
  {
    name: "retry",
    path: "intents.retry",
    needs: "operator",
    input: (fixture) => ofNode(fixture, {}),
  },
  action("retry", "operator", (fixture) => ofNode(fixture, { kind: "retry" })),
  {
    ...action("retry", "operator", (fixture) => ({
      ...ofNode(fixture, { kind: "retry" }, "node-4"),
      controller: "node-route-controller",
    })),
    name: "repair of routes",
  },
  {
    ...action("retry", "operator", (fixture) => ({
      ...ofNode(fixture, { kind: "retry" }),
      controller: "volume-label-controller",
      object: { kind: "PersistentVolume", name: "pv-1", uid: "uid-pv-1" },
    })),
    name: "retry of a volume",
  },
  action("hold", "operator", (fixture) => ofNode(fixture, { kind: "hold", until: soon() })),
  action("release", "operator", (fixture) => ofNode(fixture, { kind: "release" }, "node-2")),
  action("override", "admin", (fixture) => ({
    ...ofNode(fixture, { kind: "override", until: soon() }, "node-3"),
    confirmation: "node-3",
  })),
  action("pause", "admin", (fixture) => ofController(fixture, { kind: "pause", until: soon() })),
  action("resume", "admin", (fixture) => ofController(fixture, { kind: "resume" }, LIFECYCLE)),
  action("release-guard", "admin", (fixture) => ({
    ...ofController(fixture, { kind: "release-guard", nodes: [fixture.node] }, LIFECYCLE),
    confirmation: "1",
  })),
  action("set-setting", "admin", (fixture) =>
    ofController(
      fixture,
      { kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "10s" },
      LIFECYCLE,
    ),
  ),
  action("shorten-retention", "admin", (fixture) => ({
    ...ofController(
      fixture,
      { kind: "shorten-retention", setting: "ledger-retention-runs", from: "30d", value: "3d" },
      "cloudwright-controller",
    ),
    confirmation: "3d",
  })),
  action("loosen-guard", "admin", (fixture) => ({
    ...ofController(
      fixture,
      { kind: "loosen-guard", setting: "node-deletion-guard", from: "5,10%,10m", value: "off" },
      LIFECYCLE,
    ),
    confirmation: "off",
  })),
  serviceOptions("hold", "operator", (fixture) =>
    ofService(fixture, { kind: "hold", until: soon() }, "held"),
  ),
  serviceOptions("release", "operator", (fixture) =>
    ofService(fixture, { kind: "release" }, "released"),
  ),
  action("reensure", "operator", (fixture) => ofService(fixture, { kind: "reensure" }, "web")),
  action("adopt", "admin", (fixture) => ({
    ...ofService(fixture, { kind: "adopt", balancer: "lb-1" }, "legacy"),
    confirmation: "lb-1",
  })),
  {
    name: "a batch of previews of adoptions",
    path: "intents.requestBatch",
    needs: "admin",
    input: (fixture) => {
      const { cluster, ...request } = ofService(
        fixture,
        { kind: "adopt", balancer: "lb-1" },
        "old",
      );
      return { batch: randomUUID(), cluster, requests: [{ ...request, kind: "preview" }] };
    },
  },
  action("abandon", "admin", (fixture) => ({
    ...ofService(fixture, { kind: "abandon" }, "doomed"),
    confirmation: "doomed",
  })),
  action("remove-orphan", "admin", (fixture) => ({
    ...ofService(fixture, { kind: "remove-orphan", balancer: "lb-9" }, "lb-9"),
    object: { kind: "LoadBalancer", name: "lb-9" },
    confirmation: "lb-9",
  })),
  users("sessions.revoke", ({ session }) => ({ id: session })),
  users("sessions.revokeAll", ({ person: user }) => ({ userId: user })),
  users("people.setPassword", ({ person: user }) => ({
    id: user,
    password: "correct horse battery",
  })),
  users("people.removeAuthenticator", ({ person: user }) => ({ id: user })),
  users("people.setClusters", ({ person: user, cluster }) => ({ id: user, clusters: [cluster] })),
  users("people.changeRole", ({ person: user }) => ({ id: user, role: "admin" })),
  users("people.disable", ({ person: user }) => ({ id: user })),
  users("people.enable", ({ person: user }) => ({ id: user })),
  users("people.create", () => ({
    name: "Mallory",
    email: "mallory@example.test",
    role: "admin",
  })),
  users("tokens.create", ({ cluster }) => ({
    ...{ kind: "service", name: "backup", role: "viewer", clusters: [cluster], days: 1 },
  })),
  users("tokens.revoke", ({ token }) => ({ id: token })),
  users("webhooks.create", ({ cluster }) => ({ ...WEBHOOK, name: "another", cluster })),
  users("webhooks.change", ({ webhook: id }) => ({ ...WEBHOOK, name: "changed", id })),
  users("webhooks.pause", ({ webhook: id }) => ({ id, paused: true })),
  users("webhooks.rotateSecret", ({ webhook: id }) => ({ id })),
  users("webhooks.test", ({ webhook: id }) => ({ id })),
  users("webhooks.remove", ({ webhook: id }) => ({ id })),
  {
    ...users("savedViews.save", ({ cluster }) => ({ ...VIEW, name: randomUUID(), cluster })),
    needs: "viewer",
  },
  {
    ...users("comments.add", ({ cluster, intent: id }) => ({
      ...{ cluster, about: { kind: "action", id }, text: "tried" },
    })),
    needs: "operator",
  },
  users("comments.withdraw", ({ cluster, comment: id }) => ({ cluster, id })),
  {
    ...users("incidents.share", ({ cluster, node: { kind: of, name } }) => ({
      ...{ cluster, about: { kind: "object", of, name } },
    })),
    needs: "viewer",
  },
  users("incidents.remove", ({ cluster, incident: id }) => ({ cluster, id })),
  users("savedViews.change", ({ view: id }) => ({ id, name: "changed" })),
  users("savedViews.remove", ({ view: id }) => ({ id })),
];

function action(kind: string, needs: Role, input: Case["input"]): Case {
  return {
    name: kind,
    path: "intents.request",
    needs,
    input: (fixture) => ({ planHash: "made-up", kind, ...input(fixture) }),
  };
}

function serviceOptions(kind: string, needs: Role, input: Case["input"]): Case {
  return { ...action(kind, needs, input), name: `${kind} of a Service` };
}

function users(path: string, input: Case["input"]): Case {
  return { name: path, path, needs: "admin", input };
}

function ofIntent({ cluster, intent }: Fixture) {
  return { cluster, id: intent };
}

function ofNode({ cluster, node }: Fixture, action: object, name = node.name) {
  return {
    id: randomUUID(),
    cluster,
    controller: NODE,
    object: { ...node, name },
    why: "trying what may be done",
    ...("kind" in action ? { action } : {}),
  };
}

function ofService({ cluster }: Fixture, action: object, name: string) {
  return {
    id: randomUUID(),
    cluster,
    controller: SERVICE,
    object: { kind: "Service", namespace: "shop", name, uid: `uid-${name}` },
    why: "trying what may be done",
    action,
  };
}

function ofController({ cluster }: Fixture, action: object, name = NODE) {
  return {
    id: randomUUID(),
    cluster,
    controller: name,
    object: { kind: "Controller", name },
    why: "trying what may be done",
    action,
  };
}

function soon(): number {
  return Date.now() + HOUR_MS;
}
