import { z } from "zod";

const INSTANCE_STATES = ["pending", "running", "stopping", "stopped"] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

const ADDRESS_TYPES = [
  "InternalIP",
  "ExternalIP",
  "Hostname",
  "InternalDNS",
  "ExternalDNS",
] as const;

const addressSchema = z.strictObject({
  type: z.enum(ADDRESS_TYPES),
  address: z.string().min(1).max(255),
});
export type Address = z.infer<typeof addressSchema>;

const addressesSchema = z.array(addressSchema).max(64);
const labelsSchema = z.record(z.string().min(1).max(512), z.string().max(512));
const freeText = z.string().max(1024);

/** A machine of the sandbox cloud, as sent and as stored (spec/70, "Resources"). */
export const instanceSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(INSTANCE_STATES),
  type: z.string(),
  region: z.string(),
  zone: z.string(),
  cpu: z.number(),
  memoryMiB: z.number(),
  addresses: addressesSchema,
  labels: labelsSchema,
  managed: z.boolean(),
  /** Replaces `sandbox://<id>` when present, even if empty. */
  providerId: z.string().optional(),
  createdAt: z.string(),
});
export type Instance = Readonly<z.infer<typeof instanceSchema>>;

/** The fields of a machine that a request may set. */
const FIELDS = {
  type: freeText.optional(),
  region: freeText.optional(),
  zone: freeText.optional(),
  cpu: z.number().positive().optional(),
  memoryMiB: z.number().int().positive().optional(),
  addresses: addressesSchema.optional(),
  labels: labelsSchema.optional(),
  managed: z.boolean().optional(),
};

/** Body of `POST /v1/instances`. */
export const creationSchema = z.strictObject({
  name: z.string().min(1).max(253),
  ...FIELDS,
  providerId: freeText.optional(),
});
export type Creation = z.infer<typeof creationSchema>;

/** Body of `PATCH /v1/instances/{id}`: each field replaces the old one completely; `providerId: null` removes the override. */
export const editSchema = z.strictObject({
  state: z.enum(INSTANCE_STATES).optional(),
  ...FIELDS,
  providerId: freeText.nullable().optional(),
});
export type Edit = z.infer<typeof editSchema>;

const DEFAULT_TYPE = "standard-2";
export const DEFAULT_REGION = "region-1";
export const DEFAULT_ZONE = "region-1a";

interface Size {
  readonly cpu: number;
  readonly memoryMiB: number;
}

const SIZES: ReadonlyMap<string, Size> = new Map([
  ["standard-1", { cpu: 1, memoryMiB: 2048 }],
  [DEFAULT_TYPE, { cpu: 2, memoryMiB: 8192 }],
  ["standard-4", { cpu: 4, memoryMiB: 16_384 }],
  ["standard-8", { cpu: 8, memoryMiB: 32_768 }],
  ["memory-4", { cpu: 4, memoryMiB: 32_768 }],
]);

/** Returns the size of a type in the catalogue; undefined for a type that a test made up. */
function sizeOfType(type: string): Size | undefined {
  return SIZES.get(type);
}

/** Returns a new machine with defaults for everything missing from the request. */
export function fillIn(
  creation: Creation,
  given: Pick<Instance, "id" | "state" | "addresses" | "createdAt">,
): Instance {
  const type = creation.type ?? DEFAULT_TYPE;
  const size = sizeOfType(type) ?? { cpu: 2, memoryMiB: 8192 };
  return {
    id: given.id,
    name: creation.name,
    state: given.state,
    type,
    region: creation.region ?? DEFAULT_REGION,
    zone: creation.zone ?? DEFAULT_ZONE,
    cpu: creation.cpu ?? size.cpu,
    memoryMiB: creation.memoryMiB ?? size.memoryMiB,
    addresses: [...given.addresses],
    labels: creation.labels ?? {},
    managed: creation.managed ?? true,
    ...(creation.providerId === undefined ? {} : { providerId: creation.providerId }),
    createdAt: given.createdAt,
  };
}

export function edited(instance: Instance, edit: Edit): Instance {
  const { providerId, ...plain } = edit;
  const { providerId: oldProviderId, ...rest } = instance;
  const size = edit.type === undefined ? undefined : sizeOfType(edit.type);
  const override = providerId === undefined ? oldProviderId : (providerId ?? undefined);
  const given = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  );
  return {
    ...rest,
    ...size,
    ...given,
    ...(override === undefined ? {} : { providerId: override }),
  };
}
