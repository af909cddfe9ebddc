import { apiRequest } from "../../../../server/requests/api-request.ts";

export const dynamic = "force-dynamic";

export { apiRequest as GET, apiRequest as POST };
