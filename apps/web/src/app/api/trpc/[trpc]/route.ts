import { apiRequest } from "../../../../server/api-request.ts";

export const dynamic = "force-dynamic";

export { apiRequest as GET, apiRequest as POST };
