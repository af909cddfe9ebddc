import { exportRequest } from "../../../server/exports/export-request.ts";

export const dynamic = "force-dynamic";

export { exportRequest as GET };
