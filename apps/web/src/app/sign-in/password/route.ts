import { passwordRequest } from "../../../server/password-request.ts";

export const dynamic = "force-dynamic";

export { passwordRequest as POST };
