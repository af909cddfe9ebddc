import { oidcRequest } from "../../../server/sign-in/oidc/oidc-requests.ts";

export const dynamic = "force-dynamic";

export { oidcRequest as GET };
