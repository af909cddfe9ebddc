import { LANGUAGES } from "@cloudwright/core/model/language/languages";
import { messagesScript } from "../../../server/language/messages-script.ts";

interface Asked {
  readonly params: Promise<{ readonly language: string }>;
}

/** Messages of one language as a script that a page runs before its own. They are the same for everybody. */
export async function GET(request: Request, { params }: Asked): Promise<Response> {
  const asked = (await params).language;
  const language = LANGUAGES.find((each) => each === asked);
  if (language === undefined || language === "en") {
    return new Response("There are no messages of this language.\n", { status: 404 });
  }
  const chunks = new URL(request.url).searchParams.get("chunks")?.split(",");
  return new Response(messagesScript(language, chunks), {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}
