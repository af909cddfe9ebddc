import { listAudit } from "@cloudwright/store/queries/audit";
import type { AuditRow, Page } from "@cloudwright/store/views";
import { router, viewerProcedure } from "../trpc.ts";
import { auditInput } from "./inputs.ts";

export const auditRouter = router({
  list: viewerProcedure
    .input(auditInput)
    .query(({ ctx, input }): Promise<Page<AuditRow>> => listAudit(ctx.ledger, input)),
});
