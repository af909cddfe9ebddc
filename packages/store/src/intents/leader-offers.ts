import { type Action, isSettingAction } from "@cloudwright/core/model/actions/action";
import { controlsStatusSchema } from "@cloudwright/core/model/controls";
import { t } from "@cloudwright/core/model/language/text";
import type { Prisma } from "../generated/client.ts";
import { requireNoProblem } from "../operations/errors.ts";
import { NEWEST_LEASE_FIRST } from "../states/newest-lease-first.ts";

/**
 * Throws OperationError Precondition for a change of a setting that the leader does not offer: a leader of an earlier release would ignore
 * it until it expires. A setting that the leader has not reported yet is accepted.
 */
export async function requireOffered(
  tx: Prisma.TransactionClient,
  { cluster, action }: { readonly cluster: string; readonly action: Action },
): Promise<void> {
  if (!isSettingAction(action)) return;
  const leader = await tx.controllerInstance.findFirst({
    where: { clusterId: cluster, leader: true, dryRun: false },
    orderBy: [...NEWEST_LEASE_FIRST],
    select: { version: true, controls: true },
  });
  requireNoProblem("Precondition", () => problemOf(action.setting, leader ?? undefined));
}

function problemOf(
  setting: string,
  leader: { readonly version: string; readonly controls: Prisma.JsonValue } | undefined,
): string | undefined {
  const { data: controls } = controlsStatusSchema.safeParse(leader?.controls);
  if (leader === undefined || controls === undefined) return undefined;
  if (controls.settings === undefined) {
    return takesNoSettings(leader.version);
  }
  return controls.settings.some((offered) => offered.setting === setting)
    ? undefined
    : t`The leader, release ${leader.version}, does not read --${setting}: the controller that reads it is not running, or the release is too old.`;
}

/** Says why no setting can be changed while a leader of an earlier release runs. */
export function takesNoSettings(version: string): string {
  return t`The leader runs release ${version}, which cannot change settings at run time: update the controllers first.`;
}
