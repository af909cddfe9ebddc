import { httpApiRequest } from "../../../../server/http-api/request.ts";

export const dynamic = "force-dynamic";

export {
  httpApiRequest as DELETE,
  httpApiRequest as GET,
  httpApiRequest as HEAD,
  httpApiRequest as OPTIONS,
  httpApiRequest as PATCH,
  httpApiRequest as POST,
  httpApiRequest as PUT,
};
