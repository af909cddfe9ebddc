import type { KubeClient } from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { identitiesOf } from "../../permissions/identities.ts";
import type { Identity } from "../../permissions/permission-check.ts";
import {
  missingRights,
  missingRightsOf,
  type Right,
  rightText,
} from "../../permissions/review-rights.ts";
import { leaseName } from "../../process/leading/lead.ts";
import { type RunnableContext, runnable } from "../../wiring/controllers/controller-needs.ts";
import type { Placement } from "../../wiring/placement/placement.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import { type Judged, ok, problem, unknown } from "./finding.ts";

export interface PermissionsToExamine {
  readonly processContext: Pick<ProcessContext, "flags">;
  readonly placement: Placement;
  /** Undefined if the provider could not be loaded: then the rights of all selected controllers are examined. */
  readonly cloud: RunnableContext["cloud"] | undefined;
  /** The account that the controller will run as; undefined: the user who runs this command. */
  readonly account: ServiceAccount | undefined;
  readonly client: Pick<KubeClient, "create">;
}

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** Examines, one right after the other, whether the controller's account has the rights that these flags require. */
export async function examinePermissions(context: PermissionsToExamine): Promise<Judged[]> {
  const found = await Promise.all(identities(context).map((each) => judgeIdentity(context, each)));
  return found.flat();
}

const PROCESS = "the controller";

function identities({
  processContext,
  placement,
  cloud,
  client,
}: PermissionsToExamine): readonly Identity[] {
  const { flags } = processContext;
  const { main, migrated, migrationLease } = placement;
  const selected = [...main, ...migrated];
  return identitiesOf({
    flags,
    controllers: cloud === undefined ? selected : runnable(selected, { processContext, cloud }),
    own: flags["use-service-account-credentials"] && !flags["dry-run"] ? () => client : undefined,
    leases: [leaseName(processContext), ...(migrationLease === undefined ? [] : [migrationLease])],
    process: client,
    authentication: undefined,
    authorization: undefined,
  });
}

async function judgeIdentity(
  { client, account }: PermissionsToExamine,
  { who, rights }: Identity,
): Promise<readonly Judged[]> {
  const whose = who === PROCESS ? account : accountNamed(who);
  const name = whose === undefined ? "Whoever runs this command" : nameOf(whose);
  try {
    const missing =
      whose === undefined
        ? await missingRights(client, rights)
        : await missingRightsOf(client, whose, rights);
    return judgeRights(name, { rights, missing });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return [
      unknown(
        `The rights of ${name} could not be reviewed: ${error.message}`,
        error.code === "Forbidden"
          ? "Run doctor as somebody who may create subjectaccessreviews, such as a cluster admin."
          : "Run doctor again once the API server answers.",
      ),
    ];
  }
}

function judgeRights(
  name: string,
  { rights, missing }: { readonly rights: readonly Right[]; readonly missing: readonly Right[] },
): readonly Judged[] {
  const granted = rights.length - missing.length;
  return [
    ...missing.map((right) =>
      problem(
        `${name} may not ${rightText(right)}; without it, ${right.without}.`,
        "Apply deploy/rbac, or what cloudwright permissions prints.",
      ),
    ),
    ...(granted === 0
      ? []
      : [ok(`${name} has ${granted} of the ${rights.length} rights that these flags need.`)]),
  ];
}

function nameOf({ namespace, name }: ServiceAccount): string {
  return `The service account ${namespace}/${name}`;
}

/** Parses `namespace/name`: controllers with their own identity are named by their service accounts. */
function accountNamed(who: string): ServiceAccount {
  const [namespace = "", name = ""] = who.split("/");
  return { namespace, name };
}
