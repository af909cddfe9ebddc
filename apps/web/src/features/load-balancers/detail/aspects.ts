import { t } from "@cloudwright/core/model/language/text";
import type { LoadBalancerDetail } from "@cloudwright/core/model/records/load-balancer-record";
import type { Drift } from "@cloudwright/core/model/state";
import type { LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { countVerdicts } from "../../../platform/objects/members.ts";
import { countOf } from "../../../platform/wording/action-title.ts";

export interface AspectRow {
  readonly name: string;
  readonly desired: string | undefined;
  readonly actual: string | undefined;
  readonly differs: boolean;
}

/** Returns the desired values beside the actual ones; differences come first. */
export function aspectRows({ aspects }: LoadBalancerDetail): readonly AspectRow[] {
  const rows = aspects.map(({ name, desired, actual }) => ({
    name,
    desired,
    actual,
    differs: desired !== actual,
  }));
  return rows.toSorted((left, right) => Number(right.differs) - Number(left.differs));
}

/** Returns how many things are not as they should be: aspects, and nodes on their way in or out. */
export function countDifferences(detail: LoadBalancerDetail): number {
  const { soon, leaving } = countVerdicts(detail.members);
  return aspectRows(detail).filter(({ differs }) => differs).length + soon + leaving;
}

/** Says what the comparison found: the parts that it shows, and the nodes that count as differences as well. */
export function comparedSentence(detail: LoadBalancerDetail): string {
  const { actual, aspects, members } = detail;
  if (actual === undefined) return t`There is no load balancer in the cloud.`;
  const { soon, leaving } = countVerdicts(members);
  const moving = soon + leaving;
  const parts = partsSentence(aspects.length, countDifferences(detail) - moving);
  if (moving === 0) return parts;
  return `${parts} ${t`${countOf(moving, "node")} being added or removed.`}`;
}

function partsSentence(compared: number, differing: number): string {
  if (compared === 0) return t`The provider reports nothing that can be compared.`;
  if (compared === 1) {
    return differing === 0 ? t`The compared part is in sync.` : t`The compared part differs.`;
  }
  if (differing === 0) return t`All ${compared} compared parts are in sync.`;
  return differing === 1
    ? t`1 of ${compared} compared parts differs.`
    : t`${differing} of ${compared} compared parts differ.`;
}

/** Without a difference it is never called drifted, whatever was recorded last (UX brief, section 6). */
export function shownDrift({ row, detail }: LoadBalancerView): Drift {
  const isEmpty = detail !== undefined && countDifferences(detail) === 0;
  return row.drift === "drifted" && isEmpty ? "inStep" : row.drift;
}

/** The aspect of one listener, as providers name it. */
export function listenerAspect(
  detail: LoadBalancerDetail,
  { port, protocol }: LoadBalancerDetail["ports"][number],
): AspectRow | undefined {
  return aspectRows(detail).find(({ name }) => name === `listener ${port}/${protocol}`);
}
