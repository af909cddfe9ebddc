import { createServer } from "node:http";

const PAGE = 100;
const DEEP = "[".repeat(100_000) + "]".repeat(100_000);

/** The inventory's faulty answers; `status` is the HTTP status. */
const FAULTS = {
  unavailable: () => ({ status: 503 }),
  unauthorized: () => ({ status: 401 }),
  throttled: () => ({ status: 429, headers: { "retry-after": "1" } }),
  garbage: () => ({ text: "<html>It works!</html>" }),
  nothingFound: () => ({ status: 404 }),
  huge: () => ({ body: { items: [], filler: "x".repeat(2_000_000) } }),
  deep: () => ({ text: DEEP }),
  endlessPages: (request) => ({ body: { items: [], next: `cursor-${request}` } }),
  sameCursor: () => ({ body: { items: [], next: "cursor" } }),
};

/** The inventory's HTTP API, in memory instead of a data centre, with the faults that the kit causes. */
export async function startInventory() {
  const machines = new Map();
  let fault;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const url = new URL(request.url, "http://inventory");
    const answer = fault === undefined ? regular(url, machines) : FAULTS[fault](requests);
    response.writeHead(answer.status ?? 200, answer.headers);
    response.end(answer.text ?? JSON.stringify(answer.body ?? {}));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${server.address().port}`,
    machines,
    /** Answers every request with this fault, until the returned function ends it. */
    play: (name) => async () => {
      fault = name;
      return async () => {
        fault = undefined;
      };
    },
    faults: Object.keys(FAULTS),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function addMachine(machines, name) {
  const id = `m-${machines.size + 1}`;
  const place = { type: "r740", zone: "row-1", region: "basement" };
  machines.set(id, { id, name, ...place, address: `10.0.0.${machines.size + 1}`, running: true });
  return id;
}

function regular({ pathname, searchParams }, machines) {
  const [, id] = /^\/machines\/(.+)$/.exec(pathname) ?? [];
  if (id !== undefined) {
    const machine = machines.get(decodeURIComponent(id));
    if (machine === undefined) return { status: 404, body: { error: "no_such_machine" } };
    return { body: { machine } };
  }
  const name = searchParams.get("name");
  const all = [...machines.values()].filter((machine) => name === null || machine.name === name);
  const start = Number(searchParams.get("cursor") ?? 0);
  const next = start + PAGE < all.length ? String(start + PAGE) : null;
  return { body: { items: all.slice(start, start + PAGE), next } };
}
