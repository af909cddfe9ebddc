import { redeemRequest } from "../../../server/sign-in/redeem-request.ts";

export const dynamic = "force-dynamic";

export { redeemRequest as POST };
