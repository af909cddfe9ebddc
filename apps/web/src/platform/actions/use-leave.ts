"use client";
import { type IntentKind, roleFor } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { type Role, roleIncludes } from "@cloudwright/core/model/roles";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { useFreshnessMessages } from "../../components/freshness/freshness.ts";
import { useViewer } from "../viewer/viewer-context.tsx";

/** Returns why this cannot be requested: a missing permission, with whom to ask for it, or an unreachable database; undefined if it can. */
export function useWhyNot(kind: IntentKind): string | undefined {
  const { role } = useViewer();
  return useObstacles(!roleIncludes(role, roleFor(kind)))(kind);
}

/** The same for each kind, if many are offered at once. */
export function useWhyNots(): (kind: IntentKind) => string | undefined {
  const { role } = useViewer();
  return useObstacles(role !== "admin");
}

/** `namesAdmins`: some permission is missing, so the admins to ask are read. */
function useObstacles(namesAdmins: boolean): (kind: IntentKind) => string | undefined {
  const { role } = useViewer();
  const api = useApi();
  const admins = useQuery(
    api.people.admins.queryOptions(undefined, { enabled: namesAdmins, staleTime: 60_000 }),
  );
  const { whyNoAction } = useFreshnessMessages();
  return (kind) => {
    const needed = roleFor(kind);
    return roleIncludes(role, needed)
      ? whyNoAction
      : whyNot({ needed, role, admins: admins.data ?? [] });
  };
}

export function whyNot(input: {
  readonly needed: Role;
  readonly role: Role;
  readonly admins: readonly string[];
}): string {
  const { needed, role, admins } = input;
  return admins.length === 0
    ? t`Needs role ${needed}. You are ${role}.`
    : t`Needs role ${needed}. You are ${role}. Admins: ${admins.join(", ")}.`;
}
