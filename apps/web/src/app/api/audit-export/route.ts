import { auditExportRequest } from "../../../server/requests/audit-export-request.ts";

export const dynamic = "force-dynamic";

export { auditExportRequest as GET };
