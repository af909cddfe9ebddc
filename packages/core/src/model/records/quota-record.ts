import { z } from "zod/mini";

/** The quotas of one of the cloud's services and their use, as the leader last read them. */
export const serviceQuotasSchema = z.readonly(
  z.object({
    service: z.string(),
    /** When `quotas` were read; absent if they never were. */
    readAt: z.optional(z.number()),
    quotas: z.readonly(
      z.array(
        z.object({
          resource: z.string(),
          /** Absent without a limit. */
          limit: z.optional(z.number()),
          /** Absent if the service does not report it. */
          used: z.optional(z.number()),
        }),
      ),
    ),
    /** A sentence about why the last read failed. */
    problem: z.optional(z.string()),
  }),
);
export type ServiceQuotas = z.infer<typeof serviceQuotasSchema>;
export type QuotaUse = ServiceQuotas["quotas"][number];

/** The share of a quota from which pages warn that it is nearly used up; the alert uses the same. */
export const QUOTA_NEARLY_USED = 0.9;

/** Returns the used share of a quota; undefined without a limit, or if the use is unknown. */
export function shareUsed({ limit, used }: QuotaUse): number | undefined {
  if (limit === undefined || used === undefined) return undefined;
  return limit === 0 ? 1 : used / limit;
}
