/** A feature gate as upstream has it in the release that `UPSTREAM` names. */
export interface FeatureGate {
  readonly stage: "alpha" | "beta" | "ga" | "deprecated";
  /** Its value where nobody gives one. */
  readonly initial: boolean;
  /** Another value than the initial one is refused. */
  readonly locked?: true;
  /** What it changes here when it is on; absent: nothing. */
  readonly effect?: string;
}

const UPSTREAM = "Kubernetes 1.37";

/**
 * All gates of a cloud controller manager of upstream's v0.37: those of k8s.io/controller-manager, component-base and
 * apiserver, as that release's own `GetAll()` lists them at its version.
 */
export const FEATURE_GATES = {
  APIResponseCompression: { stage: "beta", initial: true },
  APIServerIdentity: { stage: "beta", initial: true },
  APIServerWebhookAuthenticationToken: { stage: "alpha", initial: false },
  APIServingWithRoutine: { stage: "alpha", initial: false },
  AggregatedDiscoveryRemoveBetaType: { stage: "deprecated", initial: true, locked: true },
  AllAlpha: { stage: "alpha", initial: false, effect: "the default of all alpha gates" },
  AllBeta: { stage: "beta", initial: false, effect: "the default of all beta gates" },
  AllowParsingUserUIDFromCertAuth: { stage: "beta", initial: true },
  AllowUnsafeMalformedObjectDeletion: { stage: "beta", initial: true },
  CBORServingAndStorage: { stage: "alpha", initial: false },
  CloudControllerManagerWatchBasedRoutesReconciliation: {
    stage: "alpha",
    initial: false,
    effect: "routes are listed every 5 minutes and when nodes change, instead of every 10 seconds",
  },
  CloudControllerManagerWebhook: { stage: "alpha", initial: false },
  ComponentFlagz: { stage: "beta", initial: true },
  ComponentStatusz: { stage: "beta", initial: true },
  ConcurrentWatchObjectDecode: { stage: "beta", initial: true },
  ConsistentListFromCacheSkipTimeoutFallback: { stage: "alpha", initial: false },
  ConstrainedImpersonation: { stage: "beta", initial: true },
  ContextualLogging: { stage: "beta", initial: true },
  ControllerManagerReleaseLeaderElectionLockOnExit: { stage: "alpha", initial: false },
  CoordinatedLeaderElection: { stage: "beta", initial: false },
  DeclarativeValidation: { stage: "ga", initial: true, locked: true },
  DeclarativeValidationBeta: { stage: "beta", initial: true },
  DeclarativeValidationTakeover: { stage: "deprecated", initial: false, locked: true },
  DetectCacheInconsistency: { stage: "beta", initial: true },
  EtcdRangeStream: { stage: "beta", initial: true },
  ExcludeAdmissionWebhookVirtualResources: { stage: "beta", initial: true },
  KMSv1: { stage: "deprecated", initial: false },
  ListFromCacheSnapshot: { stage: "beta", initial: true },
  LoggingAlphaOptions: {
    stage: "alpha",
    initial: false,
    effect: "the alpha logging flags are accepted",
  },
  LoggingBetaOptions: { stage: "beta", initial: true },
  ManifestBasedAdmissionControlConfig: { stage: "beta", initial: true },
  MutatingAdmissionPolicy: { stage: "ga", initial: true },
  NativeHistograms: { stage: "beta", initial: true },
  OpenAPIEnums: { stage: "beta", initial: true },
  RemoteRequestHeaderUID: { stage: "beta", initial: true },
  SeparateCacheWatchRPC: { stage: "deprecated", initial: false, locked: true },
  ShardedListAndWatch: { stage: "alpha", initial: false },
  SizeBasedListCostEstimate: { stage: "beta", initial: true },
  StorageVersionAPI: { stage: "alpha", initial: false },
  StorageVersionHash: { stage: "beta", initial: true },
  StructuredAuthenticationConfigurationEgressSelector: { stage: "beta", initial: true },
  StructuredAuthenticationConfigurationJWKSMetrics: { stage: "beta", initial: true },
  TokenRequestServiceAccountUIDValidation: { stage: "beta", initial: true },
  UnauthenticatedHTTP2DOSMitigation: { stage: "beta", initial: true },
  UnknownVersionInteroperabilityProxy: { stage: "beta", initial: true },
  WatchCacheInitializationPostStartHook: { stage: "ga", initial: true, locked: true },
  WatchList: { stage: "beta", initial: true },
  WatchListCompression: { stage: "beta", initial: true },
  WebhookRoundTripLoadBalancing: { stage: "beta", initial: true },
} as const satisfies Readonly<Record<string, FeatureGate>>;
export type GateName = keyof typeof FEATURE_GATES;

/** `--feature-gates` as it was given. */
type Given = Readonly<Record<string, boolean>>;

/** Whether a gate is on: as given itself, else as all of its stage, else as upstream has it. */
export function isGateOn(given: Given, name: string): boolean {
  const gate = gateOf(name);
  if (gate === undefined) return false;
  const { stage, initial } = gate;
  return given[name] ?? ofStage(given, stage) ?? initial;
}

function ofStage(given: Given, stage: FeatureGate["stage"]): boolean | undefined {
  if (stage === "alpha") return given.AllAlpha;
  return stage === "beta" ? given.AllBeta : undefined;
}

/** Why given gates are refused, one sentence each: upstream does not know them, or holds them at their value. */
export function gateProblems(given: Given): readonly string[] {
  return Object.entries(given).flatMap(([name, on]) => gateProblem(name, on) ?? []);
}

function gateProblem(name: string, on: boolean): string | undefined {
  const gate = gateOf(name);
  if (gate === undefined) {
    return `--feature-gates names "${name}", which is no gate of ${UPSTREAM}: remove it.`;
  }
  return gate.locked === true && gate.initial !== on
    ? `--feature-gates has ${name}=${on}, but ${UPSTREAM} locks this gate to ${gate.initial}: remove it.`
    : undefined;
}

/** Those of the given gates that change nothing here. */
export function idleGates(given: Given): readonly string[] {
  return Object.keys(given).filter((name) => gateOf(name)?.effect === undefined);
}

function gateOf(name: string): FeatureGate | undefined {
  return Object.entries<FeatureGate>(FEATURE_GATES).find(([each]) => each === name)?.[1];
}

/** A line for each gate, for the help. */
export function gateLines(): readonly string[] {
  return Object.entries<FeatureGate>(FEATURE_GATES).map(([name, gate]) => {
    const { stage, initial, locked, effect } = gate;
    const value = locked === true ? `locked to ${initial}` : `default ${initial}`;
    return `  ${name} (${stage}, ${value})${effect === undefined ? "" : `: ${effect}`}`;
  });
}
