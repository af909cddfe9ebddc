import { CONFIG_MAPS, type KubeClient, type KubeObject } from "../../kube/client.ts";
import { isKubeError } from "../../kube/errors.ts";
import type { SettingName } from "../../model/settings/setting-names.ts";
import { parseRecord, type RecordData } from "./control-record.ts";
import { CONTROL_RECORD_NAME } from "./control-store.ts";
import { overrideOf } from "./settings-record.ts";

export interface OverridesPlace {
  readonly client: Pick<KubeClient, "get">;
  /** The election namespace. */
  readonly namespace: string;
}

/** Returns what a user has set, as text; undefined if the flag's value applies. */
export type Overrides = (name: SettingName) => string | undefined;

/**
 * Reads what users have set in this cluster, for code that does not follow the control record because it does not have to lead. Throws
 * KubeError while the record cannot be read, as the settings are then unknown. Without permission to read it, users cannot have set
 * anything.
 */
export async function readOverrides({ client, namespace }: OverridesPlace): Promise<Overrides> {
  const { record } = parseRecord(await dataOf({ client, namespace }));
  return (name) => overrideOf(record.settings, name)?.value;
}

async function dataOf({ client, namespace }: OverridesPlace): Promise<RecordData> {
  const target = { resource: CONFIG_MAPS, namespace, name: CONTROL_RECORD_NAME };
  try {
    const object = await client.get<KubeObject & { readonly data?: RecordData }>(target, {
      timeoutMs: 10_000,
    });
    return object.data ?? {};
  } catch (error) {
    if (isKubeError(error) && ABSENT.has(error.code)) return {};
    throw error;
  }
}

const ABSENT: ReadonlySet<string> = new Set(["NotFound", "Forbidden"]);
