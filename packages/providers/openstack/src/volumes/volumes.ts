import {
  type CallContext,
  isProviderError,
  ProviderError,
  type VolumeFacts,
  type VolumeLookup,
  type Volumes,
} from "@cloudwright/provider-api";
import { z } from "zod";
import { type OpenStackClient, path } from "../api/client.ts";
import { isNotFound } from "../api/errors.ts";
import type { OpenStackConfig } from "../config/config.ts";
import { PROVIDER } from "../config/invalid-config.ts";

export interface VolumesOptions {
  readonly client: OpenStackClient;
  readonly config: Pick<OpenStackConfig, "identity">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const volumeSchema = z.object({
  id: z.string().min(1),
  size: z.number().int().min(0),
  availability_zone: z.string().nullish(),
});
type Volume = z.output<typeof volumeSchema>;

/** The in-tree source of a Cinder volume; CSI volumes are not handled here. */
const sourceSchema = z.object({ cinder: z.object({ volumeID: z.string().min(1) }) });

/** More than this are found by one listing of everything, fewer are read individually. */
const MOST_READ_ALONE = 5;

/**
 * Creates Cinder's volumes, by the block storage API v3. Not tried on a real Cinder (docs/providers/openstack.md): if the catalog
 * has none, lookups of volumes fail and say so.
 */
export function createVolumes(options: VolumesOptions): Volumes {
  return {
    identify: (spec) => sourceSchema.safeParse(spec).data?.cinder.volumeID,
    describe: async (ids, context) => {
      const wanted = [...new Set(ids)];
      const listed =
        wanted.length > MOST_READ_ALONE
          ? await listing(options, context)
          : new Map<string, Volume>();
      const answers = wanted.map(async (id) => {
        const volume = listed.get(id);
        return [
          id,
          volume === undefined ? await lookUp(options, id, context) : found(options, volume),
        ] as const;
      });
      return new Map(await Promise.all(answers));
    },
  };
}

/** Volumes missing from it are read individually, so a failed listing loses no answer. */
async function listing(
  { client }: VolumesOptions,
  context: CallContext,
): Promise<ReadonlyMap<string, Volume>> {
  try {
    const { items } = await client.listAll({
      ...{ service: "block-storage", path: "/volumes/detail", collection: "volumes" },
      ...{ item: volumeSchema, operation: "volume_list", target: "all", context },
    });
    return new Map(items.map((volume) => [volume.id, volume]));
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isProviderError(error)) throw error;
    return new Map();
  }
}

async function lookUp(
  options: VolumesOptions,
  id: string,
  context: CallContext,
): Promise<VolumeLookup> {
  try {
    const { value, requestId } = await options.client.request({
      ...{ service: "block-storage", path: path`/volumes/${id}`, operation: "volume_get" },
      ...{ target: id, schema: z.object({ volume: volumeSchema }), context },
    });
    return found(options, value.volume, requestId);
  } catch (error) {
    context.signal.throwIfAborted();
    if (isNotFound(error)) return absent(error);
    if (isProviderError(error)) return { kind: "failed", error };
    const message = error instanceof Error ? error.message : String(error);
    const call = { provider: PROVIDER, operation: "volume_get", target: id, cause: error };
    return { kind: "failed", error: new ProviderError("Unavailable", message, call) };
  }
}

function absent({ call: { requestId } }: ProviderError): VolumeLookup {
  return requestId === undefined ? { kind: "absent" } : { kind: "absent", requestId };
}

function found(
  { config, now }: VolumesOptions,
  { id, size, availability_zone: zone }: Volume,
  requestId?: string,
): VolumeLookup {
  const facts: VolumeFacts = {
    ...{ id, zone: zone ?? "", region: config.identity.region ?? "" },
    ...{ additionalLabels: {}, sizeGiB: size, asOf: now() },
  };
  return requestId === undefined ? { kind: "found", facts } : { kind: "found", facts, requestId };
}
