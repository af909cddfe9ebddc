/**
 * A cloud that does what its config says, for rows that even the sandbox cloud cannot express (spec/90 §0.1). Plain
 * JavaScript, as an outside plug-in is installed. The config is JSON:
 * - `offers`: the capabilities that it has, of `instances`, `loadBalancers`, `routes` and `volumes`; `["instances"]` when absent
 * - `journal`: the file that writes are recorded in
 * - `ingress`, `ingressFile`, `podTargets`: of its load balancers, see balancers.mjs
 * - `routes`: its route table, see routes.mjs
 * - `volumes`: its disks, see volumes.mjs
 * - `initialize`: the sentence that its start fails with
 * - `knows`: what the names of its machines begin with
 */
import { scriptedLoadBalancers } from "./load-balancers.mjs";
import { scriptedRoutes } from "./routes.mjs";
import { scriptedVolumes } from "./volumes.mjs";

export const apiVersion = 1;

export function create({ text = "{}" }) {
  const config = JSON.parse(text);
  const { offers = ["instances"], initialize, knows, journal } = config;
  const { routes = {}, volumes = {} } = config;
  return {
    name: "scripted",
    hasClusterId: true,
    ...(offers.includes("instances") ? { instances: { describe: describeAmong(knows) } } : {}),
    ...(offers.includes("loadBalancers") ? { loadBalancers: scriptedLoadBalancers(config) } : {}),
    ...(offers.includes("routes") ? { routes: scriptedRoutes(routes, journal) } : {}),
    ...(offers.includes("volumes") ? { volumes: scriptedVolumes(volumes, journal) } : {}),
    initialize: async () => {
      if (initialize !== undefined) throw failure(initialize);
    },
  };
}

function describeAmong(knows) {
  return async (refs, _options, context) => {
    await context.call({ operation: "LIST instances", target: "", mutates: false }, async () => ({
      value: undefined,
      status: 200,
    }));
    return new Map(refs.map((ref) => [keyOf(ref), lookUp(ref, knows)]));
  };
}

function lookUp(ref, knows) {
  if (knows === undefined || !ref.nodeName.startsWith(knows)) return { kind: "notListed" };
  return { kind: "found", facts: factsOf(ref) };
}

/** Errors of providers are known by name and code, whatever class they are of. */
function failure(sentence) {
  return Object.assign(new Error(sentence), { name: "ProviderError", code: "QuotaExceeded" });
}

function keyOf({ nodeName, providerID }) {
  return providerID === undefined ? `name:${nodeName}` : `id:${providerID}`;
}

function factsOf({ nodeName }) {
  return {
    providerID: `scripted://${nodeName}`,
    name: nodeName,
    type: "m1",
    zone: "z1",
    region: "r1",
    addresses: [{ type: "InternalIP", address: "10.224.0.1" }],
    additionalLabels: {},
    power: "running",
    asOf: Date.now(),
  };
}
