import { oidcCallback } from "../../../../server/sign-in/oidc/oidc-requests.ts";

export const dynamic = "force-dynamic";

export { oidcCallback as GET };
