import { LANGUAGES } from "@cloudwright/core/model/language/languages";
import { messagesScript } from "../../../server/language/messages-script.ts";

interface Asked {
  readonly params: Promise<{ readonly language: string }>;
}

/** The messages of one language for whoever cannot take them packed (server/edge/packed.ts). */
export async function GET(_: Request, { params }: Asked): Promise<Response> {
  const asked = (await params).language;
  const language = LANGUAGES.find((each) => each === asked);
  const script = language === undefined ? undefined : messagesScript(language);
  if (script === undefined) {
    return new Response("There are no messages of this language.\n", { status: 404 });
  }
  return new Response(script, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}
