/** A cloud that knows every node by its name: enough to run the loops without a cloud. */
export const apiVersion = 1;

export function create({ text = "" }) {
  if (text.includes("refuse")) throw new Error("the config says refuse.");
  const initialize = async () => {
    if (text.includes("broken")) throw new Error("the quota of this project is zero");
  };
  const hasClusterId = !text.includes("untagged");
  return { name: "scripted", hasClusterId, instances: { describe }, initialize };
}

async function describe(refs, _options, context) {
  await context.call({ operation: "LIST instances", target: "", mutates: false }, async () => ({
    value: undefined,
    status: 200,
    requestId: "request-1",
  }));
  return new Map(refs.map((ref) => [keyOf(ref), { kind: "found", facts: factsOf(ref) }]));
}

function keyOf({ nodeName, providerID }) {
  return providerID === undefined ? `name:${nodeName}` : `id:${providerID}`;
}

function factsOf({ nodeName }) {
  return {
    providerID: `scripted://${nodeName}`,
    name: nodeName,
    type: "m1.small",
    zone: "zone-a",
    region: "region-1",
    addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
    additionalLabels: {},
    power: "running",
    asOf: Date.now(),
  };
}
