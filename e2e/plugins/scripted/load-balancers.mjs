import { appendFileSync, readFileSync } from "node:fs";

/**
 * Load balancers that are kept in memory and have the addresses of the config's `ingress`, or, with `ingressFile`, those that
 * this file holds whenever the cloud is asked. Every write is a line of JSON in the file `journal`: `{action, service, spec}`.
 * All protocols, families and fields are offered; pods are reached past the nodes where `podTargets` is true.
 */
export function scriptedLoadBalancers({ ingress, ingressFile, journal, podTargets }) {
  const made = new Map();
  const addresses = () =>
    ingressFile === undefined
      ? (ingress ?? [{ ip: "9.9.9.9" }])
      : JSON.parse(readFileSync(ingressFile, "utf8"));
  const shown = (spec) => (spec === undefined ? null : { spec, ingress: addresses() });
  return {
    abilities: {
      protocols: ["TCP", "UDP", "SCTP"],
      mixedProtocols: true,
      families: ["IPv4", "IPv6"],
      affinity: true,
      sourceRanges: true,
      requestedAddress: true,
      ...(podTargets === undefined ? {} : { podTargets }),
      annotationPrefixes: [""],
      ignoredFields: [],
    },
    observe: async (owners, context) => {
      await context.call(
        { operation: "LIST load balancers", target: "", mutates: false },
        async () => ({
          value: undefined,
          status: 200,
        }),
      );
      return new Map(
        owners.map(({ objectUid }) => [
          objectUid,
          { kind: "known", observed: shown(made.get(objectUid)) },
        ]),
      );
    },
    plan: ({ owner, spec, observed }) => ({
      changes: changesOf({ owner, spec, observed: observed?.spec ?? null }),
      next: { kind: "settled" },
      status: observed === null ? undefined : { ingress: observed.ingress },
      actual: observed === null ? undefined : factsOf(owner),
      aspects: [],
      members: Object.fromEntries((observed?.spec.members ?? []).map((id) => [id, {}])),
    }),
    apply: ({ action, request }, context) =>
      context.call(
        { operation: `${action} balancer`, target: request.service, mutates: true },
        async () => {
          if (journal !== undefined)
            appendFileSync(journal, `${JSON.stringify({ action, ...request })}\n`);
          if (action === "delete") made.delete(request.uid);
          else made.set(request.uid, request.spec);
          return { value: shown(made.get(request.uid)), status: 200 };
        },
      ),
    owned: async () => [],
  };
}

function changesOf({ owner, spec, observed }) {
  const service = `${owner.namespace}/${owner.name}`;
  const target = service;
  const what = "load balancer";
  const uid = owner.objectUid;
  if (spec === undefined)
    return observed === null
      ? []
      : [{ action: "delete", what, target, before: {}, after: null, request: { service, uid } }];
  const wanted = {
    listeners: spec.listeners.map(
      ({ protocol, port, targetPort }) =>
        `${port}/${protocol}${spec.targets === "pods" ? ` to pods at ${targetPort}` : ""}`,
    ),
    members: spec.members.map(({ providerID }) => providerID),
  };
  if (JSON.stringify(observed) === JSON.stringify(wanted)) return [];
  const action = observed === null ? "create" : "update";
  return [
    {
      action,
      what,
      target,
      before: observed,
      after: wanted,
      request: { service, uid, spec: wanted },
    },
  ];
}

function factsOf({ objectUid }) {
  return {
    id: `scripted-${objectUid}`,
    name: objectUid,
    type: "network",
    addresses: [],
    state: "active",
    parts: [],
  };
}
