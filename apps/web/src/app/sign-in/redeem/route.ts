import { redeemRequest } from "../../../server/redeem-request.ts";

export const dynamic = "force-dynamic";

export { redeemRequest as POST };
