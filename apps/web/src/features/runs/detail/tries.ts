import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { Bar, Tries } from "./waterfall/bar.ts";

/**
 * Groups calls that were resent after a failure below one bar, from the first send to the end of the last attempt. Other calls of the same
 * name stay separate.
 */
export function withTries(calls: readonly Bar[]): readonly Bar[] {
  const groups: Bar[][] = [];
  for (const call of calls) {
    const group = groups.findLast(([first]) => first !== undefined && isSameCall(first, call));
    if (group !== undefined && isAgain(group, call)) group.push(call);
    else groups.push([call]);
  }
  return groups.flatMap((group) =>
    group.length === 1 ? group : [bracketOf(group), ...tries(group)],
  );
}

function isSameCall(one: Bar, other: Bar): boolean {
  return one.kind === other.kind && one.label === other.label && one.target === other.target;
}

function isAgain(group: readonly Bar[], call: Bar): boolean {
  const last = group.at(-1);
  return last?.failed === true && (call.step?.attempt ?? 1) > 1 && call.from >= last.to;
}

function bracketOf(group: readonly Bar[]): Bar {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) throw new Error("Of no call there is no bracket.");
  const waitedMs = group
    .slice(1)
    .reduce((sum, { from }, index) => sum + from - (group[index]?.to ?? from), 0);
  return {
    ...first,
    id: `${first.id}-tries`,
    to: last.to,
    failed: last.failed,
    critical: group.some(({ critical }) => critical),
    step: undefined,
    tries: { count: group.length, waitedMs },
  };
}

function tries(group: readonly Bar[]): readonly Bar[] {
  return group.map((bar, index) => ({
    ...bar,
    label: t`${bar.label}, attempt ${index + 1}`,
    level: 2,
  }));
}

/** `3 attempts, 1.5 s between them`. */
export function triesText({ count, waitedMs }: Tries): string {
  return t`${count} attempts, ${formatDuration(waitedMs)} between them`;
}
