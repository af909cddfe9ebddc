import { z } from "zod";
import { parseInput } from "../http/api-error.ts";
import { type Page, pageFields, pageOf, readQuery } from "../http/page.ts";
import type { Instance } from "./instance.ts";
import type { InstanceStore, StoredInstance } from "./instance-store.ts";

const querySchema = z.strictObject({
  id: z.array(z.string()),
  name: z.array(z.string()),
  ...pageFields,
});

/**
 * One page in order of creation. With `id` or `name` it shows the machines that have one of these ids or one of these
 * names, each once.
 */
export function listInstances(store: InstanceStore, search: URLSearchParams): Page<Instance> {
  const query = parseInput(querySchema, readQuery(search, ["id", "name"]));
  const { limit, cursor, id, name } = query;
  const page = pageOf(candidates(store, query), { limit, cursor, filters: [id, name] });
  return { items: page.items.map(({ instance }) => instance), next: page.next };
}

interface Filters {
  readonly id: readonly string[];
  readonly name: readonly string[];
}

function candidates(store: InstanceStore, { id, name }: Filters): Iterable<StoredInstance> {
  if (id.length === 0 && name.length === 0) {
    return store.all();
  }
  const matches = new Set([
    ...id.flatMap((one) => store.find(one) ?? []),
    ...name.flatMap((one) => store.named(one)),
  ]);
  return [...matches].sort((a, b) => a.sequence - b.sequence);
}
