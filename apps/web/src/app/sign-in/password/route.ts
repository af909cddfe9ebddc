import { passwordRequest } from "../../../server/sign-in/password-request.ts";

export const dynamic = "force-dynamic";

export { passwordRequest as POST };
