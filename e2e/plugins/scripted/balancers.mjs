import { appendFileSync } from "node:fs";

/**
 * Balancers that are kept in memory and say of themselves what the config's `ingress` says. Every write is a line of JSON in
 * the file `journal`: `{action, service, spec}`. All protocols, families and wishes are offered.
 */
export function scriptedBalancers({ ingress = [{ ip: "9.9.9.9" }], journal }) {
  const made = new Map();
  return {
    abilities: {
      protocols: ["TCP", "UDP", "SCTP"],
      mixedProtocols: true,
      families: ["IPv4", "IPv6"],
      affinity: true,
      sourceRanges: true,
      requestedAddress: true,
      annotationPrefixes: [""],
      ignoredFields: [],
    },
    observe: async (owners, context) => {
      await context.call({ operation: "LIST balancers", target: "", mutates: false }, async () => ({
        value: undefined,
        status: 200,
      }));
      return new Map(
        owners.map(({ objectUid }) => [
          objectUid,
          { kind: "known", observed: made.get(objectUid) ?? null },
        ]),
      );
    },
    plan: ({ owner, spec, observed }) => ({
      changes: changesOf({ owner, spec, observed }),
      next: { kind: "settled" },
      status: observed === null ? undefined : { ingress },
      actual: observed === null ? undefined : factsOf(owner),
      aspects: [],
      members: Object.fromEntries((observed?.members ?? []).map((id) => [id, {}])),
    }),
    apply: ({ action, request }, context) =>
      context.call(
        { operation: `${action} balancer`, target: request.service, mutates: true },
        async () => {
          if (journal !== undefined)
            appendFileSync(journal, `${JSON.stringify({ action, ...request })}\n`);
          if (action === "delete") made.delete(request.uid);
          else made.set(request.uid, request.spec);
          return { value: action === "delete" ? null : request.spec, status: 200 };
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
    listeners: spec.listeners.map(({ protocol, port }) => `${port}/${protocol}`),
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
