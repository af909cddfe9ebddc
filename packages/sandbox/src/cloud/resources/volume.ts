import { randomBytes } from "node:crypto";
import { z } from "zod";
import { apiError, invalidField, parseInput } from "../http/api-error.ts";
import { param, type Route } from "../http/router.ts";
import { listTagged } from "../http/tagged-page.ts";
import { DEFAULT_REGION, DEFAULT_ZONE } from "../instances/instance.ts";
import type { Collection } from "../state/collection.ts";
import { tagsSchema } from "./tags.ts";

const freeText = z.string().max(1_024);
const sizeSchema = z.number().int().min(1).max(65_536);

const creationSchema = z.strictObject({
  name: z.string().min(1).max(253),
  zone: freeText.default(DEFAULT_ZONE),
  region: freeText.default(DEFAULT_REGION),
  sizeGiB: sizeSchema,
  type: freeText.default("ssd"),
  tags: tagsSchema.default({}),
});

/** Zone and region are not checked, as a user in the cloud's console could move a disk. */
const editSchema = z.strictObject({
  sizeGiB: sizeSchema.exactOptional(),
  /** The id of an instance; null detaches it. */
  attachedTo: z.string().nullable().exactOptional(),
  zone: freeText.exactOptional(),
  region: freeText.exactOptional(),
  tags: tagsSchema.exactOptional(),
});

/** A disk of the sandbox cloud (spec/70, "Resources"). */
export const volumeSchema = creationSchema.extend({
  id: z.string(),
  attachedTo: z.string().exactOptional(),
});
export type Volume = Readonly<z.infer<typeof volumeSchema>>;

export interface Disks {
  readonly volumes: Collection<Volume>;
  readonly isMachine: (id: string) => boolean;
}

export function volumeRoutes(disks: Disks): Route[] {
  const { volumes } = disks;
  return [
    {
      method: "GET",
      path: "/v1/volumes",
      handle: ({ search }) => ({
        status: 200,
        body: listTagged({ entries: volumes.entries(), by: "id" }, search),
      }),
    },
    {
      method: "GET",
      path: "/v1/volumes/{id}",
      handle: (request) => ({ status: 200, body: volumes.get(param(request, "id")) }),
    },
    {
      method: "POST",
      path: "/v1/volumes",
      handle: async ({ readBody }) => {
        const creation = parseInput(creationSchema, await readBody());
        const id = `vol-${randomBytes(8).toString("hex")}`;
        return { status: 201, body: await volumes.put({ id, ...creation }) };
      },
    },
    {
      method: "PATCH",
      path: "/v1/volumes/{id}",
      handle: async (request) => {
        const edit = parseInput(editSchema, await request.readBody());
        const after = edited(volumes.get(param(request, "id")), edit, disks);
        return { status: 200, body: await volumes.put(after) };
      },
    },
    {
      method: "DELETE",
      path: "/v1/volumes/{id}",
      handle: async (request) => {
        const { id, attachedTo } = volumes.get(param(request, "id"));
        if (attachedTo !== undefined) {
          throw apiError(
            "conflict",
            `The volume ${id} is attached to ${attachedTo}: detach it first.`,
          );
        }
        await volumes.delete(id);
        return { status: 204 };
      },
    },
  ];
}

/** Needs no record of its own, as it follows from the machine's deletion, which is in the journal. */
export function detachFrom(volumes: Collection<Volume>, machine: string): void {
  for (const { item } of [...volumes.entries()]) {
    if (item.attachedTo === machine) {
      const { attachedTo, ...detached } = item;
      volumes.amend(detached);
    }
  }
}

function edited(before: Volume, edit: z.infer<typeof editSchema>, { isMachine }: Disks): Volume {
  const { attachedTo: options, ...fields } = edit;
  const { attachedTo: old, ...rest } = before;
  if (fields.sizeGiB !== undefined && fields.sizeGiB < before.sizeGiB) {
    throw invalidField("sizeGiB", `a volume only grows, and ${before.id} has ${before.sizeGiB}`);
  }
  if (typeof options === "string" && !isMachine(options)) {
    throw invalidField("attachedTo", `there is no instance ${options}`);
  }
  const attachedTo = options === undefined ? old : (options ?? undefined);
  return { ...rest, ...fields, ...(attachedTo === undefined ? {} : { attachedTo }) };
}
