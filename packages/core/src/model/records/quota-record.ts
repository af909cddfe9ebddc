import { z } from "zod/mini";

/** What one service of the cloud grants, and how much of it is used, as the leader last read it. */
export const serviceQuotasSchema = z.readonly(
  z.object({
    service: z.string(),
    /** When `quotas` were read; absent while they never were. */
    readAt: z.optional(z.number()),
    quotas: z.readonly(
      z.array(
        z.object({
          resource: z.string(),
          /** Absent without a limit. */
          limit: z.optional(z.number()),
          /** Absent where the service does not say. */
          used: z.optional(z.number()),
        }),
      ),
    ),
    /** Why they could not be read the last time: one sentence. */
    problem: z.optional(z.string()),
  }),
);
export type ServiceQuotas = z.infer<typeof serviceQuotasSchema>;
export type QuotaUse = ServiceQuotas["quotas"][number];

/** The share of a quota from which pages warn that it is nearly used up; the alert has the same. */
export const QUOTA_NEARLY_USED = 0.9;

/** How much of a quota is used, as a share; undefined without a limit, and where the use is not known. */
export function shareUsed({ limit, used }: QuotaUse): number | undefined {
  if (limit === undefined || used === undefined) return undefined;
  return limit === 0 ? 1 : used / limit;
}
