import { instanceKey, isProviderError, listPages, ProviderError } from "@cloudwright/provider-api";
import {
  DEFAULT_ANSWER_BOUNDS,
  isAnswerOutOfBounds,
  parseBounded,
  parseRetryAfter,
  pathSegment,
  readBounded,
} from "@cloudwright/provider-api/http";

const PROVIDER = "lab";
const PROVIDER_ID = /^lab:\/\/([a-z0-9-]+)$/;

export const apiVersion = 1;

/** `text` is the content of the file at --cloud-config. */
export function create({ text, userAgent }) {
  const inventory = createClient({ ...readConfig(text), userAgent });
  return {
    name: PROVIDER,
    hasClusterId: true,
    zones: true,
    instances: {
      describe: (refs, options, context) => describe(inventory, { refs, options, context }),
    },
  };
}

function readConfig(text) {
  const call = { provider: PROVIDER, operation: "read the config", field: "endpoint" };
  if (text === undefined) throw new ProviderError("Invalid", "--cloud-config is missing", call);
  const { endpoint, maxAnswerBytes = DEFAULT_ANSWER_BOUNDS.maxBytes } = JSON.parse(text);
  if (typeof endpoint !== "string") throw new ProviderError("Invalid", "endpoint is missing", call);
  return { endpoint, bounds: { ...DEFAULT_ANSWER_BOUNDS, maxBytes: maxAnswerBytes } };
}

/** Looks up many instances: every ref gets an answer, and a failure counts as one. */
async function describe(inventory, { refs, options, context }) {
  const answers = new Map();
  const open = [];
  for (const ref of refs) {
    const known = withoutAsking(ref);
    if (known === undefined) open.push(ref);
    else answers.set(instanceKey(ref), known);
  }
  if (open.length === 0) return answers;
  const lookUp =
    options.mode === "single"
      ? (ref) => readOne(inventory, ref, context)
      : await readMany(inventory, context);
  for (const ref of open) answers.set(instanceKey(ref), await orFailed(() => lookUp(ref), context));
  return answers;
}

/** Answers without a request for a provider ID of another cloud, or one that no machine can have. */
function withoutAsking({ providerID }) {
  if (providerID === undefined) return undefined;
  if (!providerID.startsWith("lab://")) return { kind: "foreign" };
  if (!PROVIDER_ID.test(providerID)) return { kind: "malformed", expected: "lab://ID" };
  return undefined;
}

/** Reads one listing for all refs. A machine missing from it is "not listed"; only `readOne` may report "absent". */
async function readMany(inventory, context) {
  const listing = await inventory.list({}, context).catch((error) => ({ error }));
  return ({ nodeName, providerID }) => {
    if (listing.error !== undefined) throw listing.error;
    const machine = listing.find(({ id, name }) =>
      providerID === undefined ? name === nodeName : providerID === `lab://${id}`,
    );
    return machine === undefined ? { kind: "notListed" } : found(machine);
  };
}

/** Reads this one machine: only this may prove that it is absent. */
async function readOne(inventory, { nodeName, providerID }, context) {
  const machine =
    providerID === undefined
      ? (await inventory.list({ name: nodeName }, context))[0]
      : await inventory.get(PROVIDER_ID.exec(providerID)[1], context);
  if (machine !== undefined) return found(machine);
  const others = await inventory.list({}, context);
  const by = providerID === undefined ? "name" : "providerID";
  return { kind: "absent", proof: { by, cloudShowsOthers: others.length > 0, at: Date.now() } };
}

async function orFailed(lookUp, context) {
  try {
    return await lookUp();
  } catch (error) {
    context.signal.throwIfAborted();
    if (isProviderError(error)) return { kind: "failed", error };
    throw error;
  }
}

function found({ id, name, type, zone, region, address, running }) {
  const facts = {
    providerID: `lab://${id}`,
    name,
    type,
    zone,
    region,
    addresses: [{ type: "InternalIP", address }],
    additionalLabels: {},
    power: running ? "running" : "stopped",
    asOf: Date.now(),
  };
  return { kind: "found", facts };
}

/** The client of the inventory's HTTP API: `GET /machines` with `name` and `cursor`, and `GET /machines/ID`. */
function createClient({ endpoint, bounds, userAgent }) {
  const call = (operation, target) => ({ provider: PROVIDER, operation, target });

  async function list(query, context) {
    const named = call("GET /machines", query.name ?? "all machines");
    const limits = { call: named, bounds: { maxBytes: bounds.maxBytes } };
    const pages = await listPages(limits, (cursor) => {
      const search = new URLSearchParams(cursor === undefined ? query : { ...query, cursor });
      return send(named, `/machines?${search}`, context);
    });
    return pages.flatMap(({ items }) => items.map((item) => machineOf(item, named)));
  }

  async function get(id, context) {
    const named = call("GET /machines/{id}", id);
    try {
      return machineOf((await send(named, `/machines/${pathSegment(id)}`, context)).machine, named);
    } catch (error) {
      if (isProviderError(error) && error.code === "NotFound") return undefined;
      throw error;
    }
  }

  /** Sends a request through the context's `call`, which limits, times and records it. */
  function send(named, path, context) {
    const { operation, target } = named;
    return context.call({ operation, target, mutates: false }, async (signal) => {
      const headers = { accept: "application/json", "user-agent": userAgent };
      const response = await fetch(`${endpoint}${path}`, { signal, headers }).catch((error) => {
        const message = `no answer came: ${error.cause?.message ?? error.message}`;
        throw new ProviderError("Unavailable", message, { ...named, cause: error });
      });
      const body = await readBody(response, { ...named, status: response.status });
      return { value: body, status: response.status };
    });
  }

  /** For an error status the body is optional. */
  async function readBody(response, named) {
    const read = await parsed(response).catch((error) => ({ error }));
    if (!response.ok) throw refusal(response, read.body ?? {}, named);
    if (read.error === undefined) return { items: [], ...read.body, bytes: read.bytes };
    const code = isAnswerOutOfBounds(read.error) ? "OutOfBounds" : "Unavailable";
    const message = `the answer cannot be used: ${read.error.message}`;
    throw new ProviderError(code, message, { ...named, cause: read.error });
  }

  async function parsed(response) {
    const { text, bytes } = await readBounded(response.body, bounds);
    return { body: parseBounded(text, bounds), bytes };
  }

  return { list, get };
}

/** Only the inventory's own `no_such_machine` proves that a machine is gone: a 404 from a proxy proves nothing. */
function refusal(response, { error }, named) {
  const { status } = response;
  const message = `the inventory answered ${status}`;
  const said = { ...named, body: typeof error === "string" ? { code: error } : {} };
  if (status === 404 && error === "no_such_machine") {
    return new ProviderError("NotFound", message, said);
  }
  if (status === 429) {
    const retryAfter = response.headers.get("retry-after") ?? undefined;
    const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
    return new ProviderError("Throttled", message, { ...said, retryAfterMs });
  }
  const isUnauthorized = status === 401 || status === 403;
  return new ProviderError(isUnauthorized ? "Unauthorized" : "Unavailable", message, said);
}

/** Checks the shape of an answer before any of it is used. */
function machineOf(item, named) {
  const texts = ["id", "name", "type", "zone", "region", "address"];
  const isMachine =
    texts.every((key) => typeof item?.[key] === "string") && typeof item.running === "boolean";
  if (isMachine) return item;
  const message = "the answer is not what the inventory's API promises";
  throw new ProviderError("Unavailable", message, named);
}
