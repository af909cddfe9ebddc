import type { Metadata } from "next";
import { TakeoverPage } from "../../../../features/takeover/takeover-page.tsx";

export const metadata: Metadata = { title: "Takeover" };

export default TakeoverPage;
