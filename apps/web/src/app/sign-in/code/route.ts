import { codeRequest } from "../../../server/sign-in/code-request.ts";

export const dynamic = "force-dynamic";

export { codeRequest as POST };
