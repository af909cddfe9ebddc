import { signOutRequest } from "../../server/sign-in/sign-out-request.ts";

export const dynamic = "force-dynamic";

export { signOutRequest as POST };
