import { appendFileSync } from "node:fs";

/**
 * One route table that is kept in memory. Of the config's `routes`:
 * - `present`: the routes that are there at the start, each `{destination, providerID?, node?, addresses?, blackhole?, owner?}`
 * - `comparesAddresses`: whether a route's addresses must be its node's
 * - `spelling`: destinations that this cloud keeps in other words, `{"fd00::/64": "FD00:0::/64"}`
 * - `storesOwner`: whether routes store whose they are; true when absent
 * Every write is a line of JSON in the file `journal`: `{action: "create"|"delete", destination, node, addresses, owner}`.
 */
export function scriptedRoutes(
  { present = [], comparesAddresses = false, spelling = {}, storesOwner = true },
  journal,
) {
  const kept = new Map();
  let made = 0;
  const keep = (line) => {
    made += 1;
    const id = `r-${made}`;
    kept.set(id, routeOf(id, line, comparesAddresses));
    return kept.get(id);
  };
  for (const line of present) keep(line);
  return {
    abilities: { families: ["IPv4", "IPv6"], storesOwner },
    list: (context) =>
      context.call({ operation: "LIST routes", target: "", mutates: false }, async () => ({
        value: {
          routes: [...kept.values()],
          tables: [{ id: "t-1", name: "scripted", used: kept.size }],
        },
        status: 200,
      })),
    create: ({ owner, destination, target, targetAddresses: addresses }, context) =>
      context.call({ operation: "CREATE route", target: destination, mutates: true }, async () => {
        const asKept = spelling[destination] ?? destination;
        const taken = [...kept.values()].find((one) => one.destination === asKept);
        if (taken !== undefined && taken.owner?.objectUid !== owner.objectUid)
          throw conflict(taken);
        const node = target.nodeName;
        write(journal, { action: "create", destination, node, addresses, owner });
        const line = { destination: asKept, node, providerID: target.providerID, addresses };
        return { value: taken ?? keep(storesOwner ? { ...line, owner } : line), status: 200 };
      }),
    remove: ({ id, destination, target, targetAddresses, owner }, context) =>
      context.call({ operation: "DELETE route", target: id, mutates: true }, async () => {
        kept.delete(id);
        const node = target.nodeName;
        write(journal, { action: "delete", destination, node, addresses: targetAddresses, owner });
        return { value: undefined, status: 200 };
      }),
  };
}

function routeOf(id, line, comparesAddresses) {
  const { destination, providerID, node, addresses = [], blackhole = false, owner } = line;
  return {
    id,
    table: "t-1",
    name: id,
    destination,
    target: { providerID, nodeName: node },
    comparesAddresses,
    targetAddresses: addresses,
    blackhole,
    owner,
  };
}

/** Errors of providers are known by name and code, whatever class they are of. */
function conflict({ id, destination }) {
  const call = {
    provider: "scripted",
    operation: "CREATE route",
    target: destination,
    status: 409,
  };
  const message = `the destination ${destination} has the route ${id} already`;
  return Object.assign(new Error(message), { name: "ProviderError", code: "Conflict", call });
}

function write(journal, line) {
  if (journal !== undefined) appendFileSync(journal, `${JSON.stringify(line)}\n`);
}
