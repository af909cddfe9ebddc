import { auditExportRequest } from "../../../server/exports/audit-export-request.ts";

export const dynamic = "force-dynamic";

export { auditExportRequest as GET };
