import { auditExportRequest } from "../../../server/audit-export-request.ts";

export const dynamic = "force-dynamic";

export { auditExportRequest as GET };
