import { demand, eventually } from "../harness/wait.ts";
import { ACCOUNTS_NAMESPACE, accountKubeconfig, type Rule } from "./accounts.ts";
import type { Scenario } from "./scenario.ts";
import { grantChanged, type Role } from "./shipped-roles.ts";
import { onStage, type Replica, type ReplicaWish, type Stage } from "./stage.ts";

/** A verb on a resource that the shipped roles grant and the row's controller has not. */
export interface TakenRight {
  readonly verb: string;
  readonly group?: string;
  /** With its subresource. */
  readonly resource: string;
  /** The object that the shipped rule names, as the self-check tells it; for the row's own Lease absent. */
  readonly name?: string;
  readonly namespace?: string;
}

export interface TakenRightRow extends TakenRight {
  readonly id: string;
  /** What comes of it. */
  readonly title: string;
  readonly flags?: ReplicaWish["flags"];
  /** Whether it asks the cluster about its callers, as that account. */
  readonly knowsCallers?: boolean;
  /** Whether it ends at once, so that there is no self-check to read. */
  readonly ends?: boolean;
  shows(stage: Stage, replica: Replica): Promise<unknown>;
}

/** A controller with all that is shipped but one right: it names the right, and what the row says comes of it. */
export function withoutRight(row: TakenRightRow): Scenario {
  const title = `without ${row.verb} ${row.resource} ${row.title}`;
  return onStage(row.id, title, async (stage) => {
    const account = { namespace: ACCOUNTS_NAMESPACE, name: stage.name };
    const { kubeconfig: admin } = stage.cluster;
    const { dir } = stage;
    const kubeconfig = await accountKubeconfig(stage.kube, account, { kubeconfig: admin, dir });
    await grantChanged(stage.kube, account, (role) => without(role, row, stage.lease));
    const callers = {
      "--authentication-kubeconfig": kubeconfig,
      "--authorization-kubeconfig": kubeconfig,
    };
    const replica = await stage.launch({
      kubeconfig,
      flags: {
        "--leader-elect": "false",
        ...row.flags,
        ...(row.knowsCallers === true ? callers : {}),
      },
    });
    if (row.ends !== true) await isNamed(replica, row, stage.lease);
    await row.shows(stage, replica);
  });
}

/** Whether the rule grants that verb on that resource, among others or alone. */
export function isAbout(
  { apiGroups = [], resources = [], verbs }: Rule,
  { verb, group = "", resource }: TakenRight,
): boolean {
  return apiGroups.includes(group) && resources.includes(resource) && verbs.includes(verb);
}

function without({ rules }: Role, taken: TakenRight, lease: string): Rule[] {
  return rules
    .map((rule) => (rule.resources?.includes("leases") ? ofLease(rule, lease) : rule))
    .map((rule) =>
      isAbout(rule, taken)
        ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== taken.verb) }
        : rule,
    )
    .filter(({ verbs }) => verbs.length > 0);
}

/** Rows have Leases of their own. */
function ofLease(rule: Rule, lease: string): Rule {
  return rule.resourceNames === undefined ? rule : { ...rule, resourceNames: [lease] };
}

/** In its log, its health and its metrics. */
async function isNamed(replica: Replica, taken: TakenRight, lease: string): Promise<void> {
  const { verb, resource } = taken;
  const text = textOf(taken, lease);
  await eventually(async () => {
    const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
    const told = /^\[\+\]permissions ok \(degraded, \d+ missing: (.*)\)$/m.exec(health)?.[1];
    demand(told?.split("; ").includes(text) === true, `health does not name ${text}: ${health}`);
    const lines = replica.output().split("\n");
    const line = lines.find(
      (each) => each.includes("A permission is missing") && each.includes(`"${text}"`),
    );
    demand(line !== undefined && /ERROR.* without=/.test(line), `no line of the log names ${text}`);
    const metrics = (await replica.ask("/metrics"))?.body ?? "";
    const series = `cloudwright_permissions_missing{verb="${verb}",resource="${resource}"} `;
    demand(metrics.includes(series), `no metric ${series}`);
  });
}

function textOf({ verb, resource, name, namespace }: TakenRight, lease: string): string {
  const wanted = resource === "leases" && verb !== "create" ? lease : name;
  const object = wanted === undefined ? resource : `${resource}/${wanted}`;
  return `${verb} ${object}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
