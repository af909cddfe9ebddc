import { Agent, request } from "undici";
import { metrics } from "../../harness/controller.ts";
import { demand, messageOf, same } from "../../harness/wait.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import {
  createDisk,
  createVolume,
  PROVISIONED_BY,
  placeOf,
  REGION,
  type Term,
  termsOf,
  type Volume,
  type VolumeOptions,
  volumeBody,
  within,
  ZONE,
} from "./objects.ts";

const BETA_ZONE = "failure-domain.beta.kubernetes.io/zone";
const BETA_REGION = "failure-domain.beta.kubernetes.io/region";
const IN_Z1: readonly Term[] = [{ matchExpressions: [within(ZONE, "z1"), within(REGION, "r1")] }];

/** Rows about volumes created while the API server calls the webhook; no loop runs. */
export const VOLUME_ADMISSION: readonly Scenario[] = [
  admitted("V-01", "a new volume gets the labels of its disk and one term with both", {
    check: (volume) => {
      same(placeOf(volume), ["z1", "r1"], "its labels");
      same(termsOf(volume), IN_Z1, "its terms");
    },
  }),
  admitted("V-02", "a disk in two zones gives both, sorted, in label and affinity", {
    disk: { zone: "z2__z1" },
    check: (volume) => {
      same(placeOf(volume), ["z1__z2", "r1"], "its labels");
      same(
        termsOf(volume),
        [{ matchExpressions: [within(ZONE, "z1", "z2"), within(REGION, "r1")] }],
        "its terms",
      );
    },
  }),
  admitted("V-03", "a zone that a user wrote is overwritten", {
    options: { labels: { [ZONE]: "wrong", "example.com/own": "kept" } },
    check: (volume) => {
      same(placeOf(volume), ["z1", "r1"], "its labels");
      same(volume.metadata.labels?.["example.com/own"], "kept", "another label");
    },
  }),
  trusted("V-04", "labels of a provisioner are trusted without a call", [ZONE, REGION]),
  trusted("V-05", "so are its beta labels, which the affinity then uses", [BETA_ZONE, BETA_REGION]),
  admitted("V-06", "an affinity that speaks of the zone stays as it is", {
    options: { terms: [{ matchExpressions: [within(ZONE, "z1", "z2")] }] },
    check: (volume) => {
      same(placeOf(volume), ["z1", "r1"], "its labels");
      same(termsOf(volume), [{ matchExpressions: [within(ZONE, "z1", "z2")] }], "its terms");
    },
  }),
  admitted("V-07", "terms about other things each get both requirements", {
    options: {
      terms: [
        { matchExpressions: [within("disk", "ssd")] },
        { matchExpressions: [within("disk", "hdd")] },
      ],
    },
    check: (volume) =>
      same(
        termsOf(volume),
        ["ssd", "hdd"].map((kind) => ({
          matchExpressions: [within("disk", kind), within(ZONE, "z1"), within(REGION, "r1")],
        })),
        "its terms",
      ),
  }),
  ...rows({
    "V-08 a disk that there is not is refused with the reason": async (env) => {
      const refusal = await refused(env, "v-08", { disk: "vol-none" });
      demand(refusal.includes("vol-none"), `it does not name the disk: ${refusal}`);
      demand(refusal.includes("403"), `it is no 403: ${refusal}`);
    },
    "V-09 volumes of other kinds are let in unchanged, without a call": async (env) => {
      const sources = {
        nfs: { nfs: { server: "10.0.0.1", path: "/share" } },
        path: { hostPath: { path: "/mnt/v-09" } },
        csi: { csi: { driver: "csi.example.com", volumeHandle: "vol-none" } },
        flex: { flexVolume: { driver: "example.com/other", options: { volumeID: "vol-none" } } },
      };
      for (const [kind, source] of Object.entries(sources)) {
        unchanged(await createVolume(env, `v-09-${kind}`, { source }));
      }
    },
  }),
  {
    id: "V-10",
    title: "a disk that is still to be made is let in unchanged",
    run: async (env) =>
      unchanged(await createVolume(env, "v-10", { disk: "placeholder-for-provisioning" })),
  },
  ...rows({
    "V-11 a zone with an empty part is refused": async (env) => {
      const { id } = await createDisk(env, "v-11", { zone: "z1__" });
      const refusal = await refused(env, "v-11", { disk: id });
      demand(refusal.includes("z1__"), `it does not name the zone: ${refusal}`);
    },
    "V-12 a disk that is nowhere gets no labels and no empty term": async (env) => {
      const { id } = await createDisk(env, "v-12", { zone: "", region: "" });
      unchanged(await createVolume(env, "v-12", { disk: id }));
    },
    "V-13 what is no review with a request is 400": async (env) => {
      const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
      const text = JSON.stringify(review);
      same((await post(env, text)).status, 400, "a review without a request");
      same((await post(env, "")).status, 400, "an empty body");
      same((await post(env, text, "text/plain")).status, 400, "another content type");
    },
    "V-14 an answer is a review of the same uid with a JSON patch": async (env) => {
      const { id } = await createDisk(env, "v-14");
      const kind = { group: "", version: "v1", kind: "PersistentVolume" };
      const object = volumeBody("v-14", { disk: id });
      const { status, body } = await post(
        env,
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          request: { uid: "v-14-uid", kind, operation: "CREATE", object },
        }),
      );
      same(status, 200, "the status");
      const { apiVersion, response } = JSON.parse(body) as Reviewed;
      same(apiVersion, "admission.k8s.io/v1", "the version");
      same([response.uid, response.allowed], ["v-14-uid", true], "the answer");
      same(response.patchType, "JSONPatch", "the type of the patch");
      const patch = JSON.parse(Buffer.from(response.patch, "base64").toString()) as object[];
      same(patch.length, 2, "how many operations the patch has");
    },
    "V-25 answers of the webhook are counted, successes as well": async (env) => {
      await post(env, "");
      await createVolume(env, "v-25", { disk: "placeholder-for-provisioning" });
      const text = await metrics(env.securePort);
      for (const code of ["200", "400"]) {
        const counted = new RegExp(
          `^cloud_provider_webhook_request_total\\{(?=[^}]*code="${code}")(?=[^}]*webhook="pvlabel")[^}]*\\} [1-9]`,
          "m",
        );
        demand(counted.test(text), `no answer of ${code} is counted`);
      }
    },
  }),
];

interface Reviewed {
  readonly apiVersion: string;
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly patchType: string;
    readonly patch: string;
  };
}

interface Admitted {
  readonly disk?: object;
  readonly options?: VolumeOptions;
  /** Checks the volume in the API server's answer to its creation. */
  check(volume: Volume): void;
}

function admitted(id: string, title: string, { disk, options, check }: Admitted): Scenario {
  const name = id.toLowerCase();
  return {
    id,
    title,
    run: async (env) => {
      const made = await createDisk(env, name, disk);
      check(await createVolume(env, name, { ...options, disk: made.id }));
    },
  };
}

/** For a disk that does not exist: if the cloud were asked, the volume would be refused. */
function trusted(id: string, title: string, [zone, region]: [string, string]): Scenario {
  const name = id.toLowerCase();
  return {
    id,
    title,
    run: async (env) => {
      const volume = await createVolume(env, name, {
        disk: "vol-none",
        annotations: { [PROVISIONED_BY]: "example.com/provisioner" },
        labels: { [zone]: "z7", [region]: "r7" },
      });
      const wanted = [{ matchExpressions: [within(zone, "z7"), within(region, "r7")] }];
      same(termsOf(volume), wanted, "its terms");
    },
  };
}

function unchanged(volume: Volume): void {
  same(volume.metadata.labels, undefined, "its labels");
  same(termsOf(volume), undefined, "its terms");
}

async function refused(
  env: SharedEnvironment,
  name: string,
  options: VolumeOptions & { readonly disk: string },
): Promise<string> {
  return createVolume(env, name, options).then(
    () => {
      throw new Error(`${name} was created`);
    },
    (error: unknown) => messageOf(error),
  );
}

const insecure = new Agent({ connect: { rejectUnauthorized: false } });

async function post({ webhookPort }: SharedEnvironment, body: string, type = "application/json") {
  const answer = await request(`https://127.0.0.1:${webhookPort}/admit`, {
    dispatcher: insecure,
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  return { status: answer.statusCode, body: await answer.body.text() };
}
