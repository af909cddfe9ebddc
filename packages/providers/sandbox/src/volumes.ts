import {
  type CallContext,
  isProviderError,
  type VolumeFacts,
  type VolumeLookup,
  type Volumes,
} from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { z } from "zod";
import { chunksOf, everyPage, failureOf } from "./calls.ts";
import type { CloudClient, Read } from "./cloud-client.ts";

/** Creates the sandbox cloud's disks (spec/70). A single disk is read individually, several share filtered listings. */
export function createVolumes(client: CloudClient): Volumes {
  return {
    identify: diskOf,
    describe: (ids, context) => describeAll(client, ids, context),
    grow: (id, sizeGiB, context) => grow(client, { id, sizeGiB: Math.ceil(sizeGiB) }, context),
  };
}

/** More of them in one request would make its URL too long for proxies. */
const NAMED_PER_CALL = 250;

type Answer = readonly [string, VolumeLookup];

async function describeAll(
  client: CloudClient,
  ids: readonly string[],
  context: CallContext,
): Promise<ReadonlyMap<string, VolumeLookup>> {
  const answers = chunksOf([...new Set(ids)], NAMED_PER_CALL).map((some) =>
    describeSome(client, some, context),
  );
  return new Map((await Promise.all(answers)).flat());
}

async function describeSome(
  client: CloudClient,
  ids: readonly string[],
  context: CallContext,
): Promise<readonly Answer[]> {
  const [alone, ...others] = ids;
  try {
    return alone !== undefined && others.length === 0
      ? [[alone, await lookUp(client, alone, context)]]
      : await lookUpNamed(client, ids, context);
  } catch (error) {
    const failure = failureOf(error, "GET /v1/volumes", context);
    return ids.map((id) => [id, { kind: "failed", error: failure }]);
  }
}

async function lookUp(
  client: CloudClient,
  id: string,
  context: CallContext,
): Promise<VolumeLookup> {
  try {
    const { value, requestId } = await readOne(client, id, context);
    return found(value, requestId);
  } catch (error) {
    if (!isProviderError(error) || error.code !== "NotFound") throw error;
    return absent(error.call.requestId);
  }
}

function readOne(client: CloudClient, id: string, context: CallContext): Promise<Read<Volume>> {
  return client.read(context, {
    operation: "GET /v1/volumes/{id}",
    target: id,
    path: `/v1/volumes/${pathSegment(id)}`,
    shape: volumeSchema,
  });
}

async function lookUpNamed(
  client: CloudClient,
  ids: readonly string[],
  context: CallContext,
): Promise<readonly Answer[]> {
  const call = { operation: "GET /v1/volumes", target: `${ids.length} volumes` };
  const pages = await everyPage({ client, ...call }, (cursor) => {
    const query = new URLSearchParams(ids.map((id) => ["id", id]));
    if (cursor !== undefined) query.append("cursor", cursor);
    return client.read(context, {
      ...call,
      path: `/v1/volumes?${query}`,
      shape: volumePageSchema,
    });
  });
  const listed = new Map(pages.flatMap(({ items }) => items).map((one) => [one.id, one]));
  const requestId = pages.at(-1)?.requestId;
  return ids.map((id) => {
    const volume = listed.get(id);
    return [id, volume === undefined ? absent(requestId) : found(volume, requestId)];
  });
}

function found(volume: Volume, requestId: string | undefined): VolumeLookup {
  const facts = factsOfVolume(volume);
  return requestId === undefined ? { kind: "found", facts } : { kind: "found", facts, requestId };
}

function absent(requestId: string | undefined): VolumeLookup {
  return requestId === undefined ? { kind: "absent" } : { kind: "absent", requestId };
}

interface Growth {
  readonly id: string;
  readonly sizeGiB: number;
}

/** The cloud refuses to shrink a disk: one that is already larger is left as it is. */
async function grow(
  client: CloudClient,
  { id, sizeGiB }: Growth,
  context: CallContext,
): Promise<VolumeFacts> {
  try {
    const { value } = await client.write(context, {
      method: "PATCH",
      operation: "PATCH /v1/volumes/{id}",
      target: id,
      path: `/v1/volumes/${pathSegment(id)}`,
      body: { sizeGiB },
      shape: volumeSchema,
    });
    return factsOfVolume(value);
  } catch (error) {
    if (!isProviderError(error) || error.call.field !== "sizeGiB") throw error;
    const { value } = await readOne(client, id, context);
    if (value.sizeGiB < sizeGiB) throw error;
    return factsOfVolume(value);
  }
}

const volumeSchema = z.object({
  id: z.string().min(1),
  zone: z.string(),
  region: z.string(),
  sizeGiB: z.number().int().min(0),
});
/** A disk as the sandbox cloud reports it (spec/70, "Resources"). */
type Volume = Readonly<z.infer<typeof volumeSchema>>;

const volumePageSchema = z.object({
  items: z.array(volumeSchema),
  next: z.string().min(1).nullish(),
});

/** This cloud adds no further labels to disks. */
function factsOfVolume(volume: Volume): VolumeFacts {
  const { id, zone, region, sizeGiB } = volume;
  return { id, zone, region, sizeGiB, additionalLabels: {}, asOf: Date.now() };
}

/** The FlexVolume driver for disks of this cloud: the API server has no type for them. */
const DRIVER = "sandbox.cloudwright.io/disk";

const sourceSchema = z.object({
  flexVolume: z.object({
    driver: z.literal(DRIVER),
    options: z.object({ volumeID: z.string().min(1) }),
  }),
});

/** Returns the id of the disk behind a PersistentVolume; undefined for any source that is not this cloud's, CSI included. */
function diskOf(spec: Readonly<Record<string, unknown>>): string | undefined {
  const parsed = sourceSchema.safeParse(spec);
  return parsed.success ? parsed.data.flexVolume.options.volumeID : undefined;
}
