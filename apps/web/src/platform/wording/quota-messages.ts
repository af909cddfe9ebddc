import { t } from "@cloudwright/core/model/language/text";
import {
  QUOTA_NEARLY_USED,
  type QuotaUse,
  type ServiceQuotas,
  shareUsed,
} from "@cloudwright/core/model/records/quota-record";
import { formatCount } from "../../components/presentation/format-text.ts";
import { listed } from "./action-title.ts";

/** The rest is in the table. */
const MOST_NAMED = 3;

/** Returns `The cloud's quota is nearly used up: 49 of 50 floating IPs (Neutron).`; empty if none is. */
export function quotaSentence(services: readonly ServiceQuotas[] = []): string {
  const parts = services.flatMap(({ service, quotas }) =>
    quotas.filter(isNearlyUsed).map((quota) => `${useText(quota)} (${service})`),
  );
  if (parts.length === 0) return "";
  const named = parts.slice(0, MOST_NAMED);
  const more = parts.length - named.length;
  if (more > 0) named.push(t`${formatCount(more)} more`);
  return t`The cloud's quota is nearly used up: ${listed(named)}.`;
}

export function isNearlyUsed(quota: QuotaUse): boolean {
  return (shareUsed(quota) ?? 0) >= QUOTA_NEARLY_USED;
}

function useText({ used = 0, limit = 0, resource }: QuotaUse): string {
  return `${t`${formatCount(used)} of ${formatCount(limit)}`} ${resource}`;
}
