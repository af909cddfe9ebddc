import { z } from "zod";

/** What one service of the cloud grants, and how much of it is used, as the leader last read it. */
export const serviceQuotasSchema = z
  .object({
    service: z.string(),
    /** When `quotas` were read; absent while they never were. */
    readAt: z.number().optional(),
    quotas: z
      .array(
        z.object({
          resource: z.string(),
          /** Absent without a limit. */
          limit: z.number().optional(),
          /** Absent where the service does not say. */
          used: z.number().optional(),
        }),
      )
      .readonly(),
    /** Why they could not be read the last time: one sentence. */
    problem: z.string().optional(),
  })
  .readonly();
export type ServiceQuotas = z.infer<typeof serviceQuotasSchema>;
export type QuotaUse = ServiceQuotas["quotas"][number];

/** The share of a quota from which pages warn that it is nearly used up; the alert has the same. */
export const QUOTA_NEARLY_USED = 0.9;

/** How much of a quota is used, as a share; undefined without a limit, and where the use is not known. */
export function shareUsed({ limit, used }: QuotaUse): number | undefined {
  if (limit === undefined || used === undefined) return undefined;
  return limit === 0 ? 1 : used / limit;
}
