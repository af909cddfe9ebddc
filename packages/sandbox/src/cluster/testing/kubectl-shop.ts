const shopped = (kind: string, name: string, more: object) => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "shop" },
  ...more,
});

const applied = (port: number, more: object = {}) =>
  shopped("Service", "applied", {
    spec: {
      type: "LoadBalancer",
      selector: { app: "applied" },
      ports: [
        { name: "http", port },
        { name: "https", port: 443, targetPort: "tls" },
      ],
      ...more,
    },
  });

export const SHOP_FILES: Readonly<Record<string, object>> = {
  first: applied(80),
  second: applied(81, { externalTrafficPolicy: "Local", selector: { app: "other" } }),
  wrong: applied(0, { type: "Foo" }),
  slice: shopped("EndpointSlice", "applied-1", {
    apiVersion: "discovery.k8s.io/v1",
    metadata: {
      name: "applied-1",
      namespace: "shop",
      labels: { "kubernetes.io/service-name": "applied" },
    },
    addressType: "IPv4",
    endpoints: [
      { addresses: ["10.0.0.1"], conditions: { ready: true } },
      { addresses: ["10.0.0.2"], conditions: { ready: false }, nodeName: "n1" },
    ],
    ports: [
      { name: "http", port: 80 },
      { name: "https", port: 8443 },
    ],
  }),
  old: shopped("Endpoints", "applied", {
    subsets: [{ addresses: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }], ports: [{ port: 80 }] }],
  }),
  class: {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name: "standard",
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
    provisioner: "csi.example.com",
    allowVolumeExpansion: true,
  },
  otherClass: {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "other" },
    provisioner: "csi.example.com",
    volumeBindingMode: "WaitForFirstConsumer",
  },
  volume: {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "disk", labels: { "topology.kubernetes.io/zone": "a" } },
    spec: {
      capacity: { storage: "1024Mi" },
      accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
      storageClassName: "standard",
      claimRef: { namespace: "shop", name: "data" },
      csi: { driver: "csi.example.com", volumeHandle: "vol-1", volumeAttributes: { a: "b" } },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "topology.kubernetes.io/zone", operator: "In", values: ["a"] },
              ],
            },
          ],
        },
      },
    },
  },
  claim: shopped("PersistentVolumeClaim", "data", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  }),
  event: shopped("Event", "e1", {
    involvedObject: { kind: "Service", name: "applied", namespace: "shop", apiVersion: "v1" },
    reason: "EnsuredLoadBalancer",
    message: "Ensured load balancer",
    type: "Normal",
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-01T00:00:00Z",
    count: 1,
    source: { component: "service-controller" },
  }),
};

/** Changes a port, or in the status the address. */
export const EDITOR = `#!/bin/sh
sed -i -e 's/targetPort: 8080/targetPort: 8888/' -e 's/loadBalancer: {}/loadBalancer: {ingress: [{ip: 192.0.2.7}]}/' "$1"
`;

/** The commands about services, in order; `-n shop` is added to each. */
export const SHOP_COMMANDS: readonly string[] = [
  "create namespace shop",
  "create service clusterip a --tcp=80:8080",
  "create service clusterip none --clusterip=None",
  "create service nodeport b --tcp=80",
  "create service loadbalancer c --tcp=443:8443",
  "create service externalname d --external-name=example.com",
  "create service clusterip a --tcp=80:8080",
  "create -f {wrong}",
  "get svc",
  "get services -o wide",
  "get service -o name",
  "get svc c -o yaml",
  "get all",
  "get svc -A",
  "get svc --field-selector spec.type=LoadBalancer",
  "get svc --sort-by=.spec.type",
  "describe svc a",
  "describe svc none",
  "describe svc b",
  "describe svc c",
  "describe svc d",
  "expose service a --name=e --port=81 --target-port=8081",
  "get svc e",
  "label svc a tier=front",
  "get svc -l tier=front --show-labels",
  "annotate svc a x.y/z=text",
  "set selector svc a app=shop",
  "apply -f {first}",
  "apply -f {first}",
  "diff -f {second}",
  "apply -f {second} --dry-run=server",
  "apply -f {second}",
  "apply view-last-applied -f {second}",
  "get svc applied -o yaml",
  "apply -f {first}",
  "get svc applied -o yaml",
  "apply -f {wrong}",
  "replace -f {second}",
  "edit svc a",
  "get svc a -o yaml",
  "edit svc applied --subresource=status",
  'patch svc applied --subresource=status --type=merge -p {"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}',
  'patch svc a --subresource=status --type=merge -p {"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}',
  "wait --for=jsonpath={.status.loadBalancer.ingress[0].ip}=192.0.2.1 svc/applied --timeout=10s",
  "get svc applied -o wide",
  'patch svc applied --subresource=status --type=merge -p {"status":{"loadBalancer":{"ingress":[{"hostname":"a-long-name.balancers.example.com"},{"ip":"192.0.2.9"},{"ip":"2001:db8::1"}]}}}',
  "get svc applied",
  'patch svc applied --type=merge -p {"spec":{"externalIPs":["192.0.2.77"]}}',
  "get svc applied",
  "get svc applied --subresource=status",
  "create -f {slice}",
  "create -f {old}",
  "get endpointslices",
  "get endpoints",
  "describe endpointslice applied-1",
  "describe svc applied",
  'patch svc applied -p {"spec":{"ports":[{"port":443,"nodePort":30077}]}}',
  'patch svc applied --type=json -p [{"op":"replace","path":"/spec/sessionAffinity","value":"ClientIP"}]',
  'patch svc applied -p {"spec":{"ipFamilyPolicy":"PreferDualStack"}}',
  "describe svc applied",
  "create -f {event}",
  "get events",
  "events --for svc/applied",
  "describe svc applied",
  "create -f {class}",
  "create -f {otherClass}",
  "get storageclass",
  "get storageclass standard",
  "describe storageclass standard",
  "apply -f {volume}",
  "get pv",
  "get pv -o wide",
  "describe pv disk",
  "apply -f {claim}",
  "get pvc",
  'patch pvc data --type=merge -p {"spec":{"volumeName":"disk"}}',
  'patch pvc data --type=merge --subresource=status -p {"status":{"phase":"Bound","capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"]}}',
  'patch pv disk --type=merge --subresource=status -p {"status":{"phase":"Bound"}}',
  'patch pvc data -p {"spec":{"resources":{"requests":{"storage":"2Gi"}}}}',
  "get pv,pvc -o wide",
  "describe pvc data",
  "label pv disk a=b",
  "delete pvc data --wait=false",
  "delete pv disk --wait=false",
  "get pv,pvc",
  'patch pvc data -p {"metadata":{"finalizers":null}}',
  'patch pv disk -p {"metadata":{"finalizers":null}}',
  "delete storageclass standard other",
  'patch svc applied -p {"metadata":{"finalizers":["service.kubernetes.io/load-balancer-cleanup"]}}',
  "delete svc a b",
  "get svc",
  "delete svc applied --wait=false",
  "get svc applied",
  "delete namespace shop --wait=false",
  "wait --for=delete svc/c --timeout=25s",
  "get namespace shop",
  "create service clusterip late --tcp=80",
  "get svc",
  'patch svc applied -p {"metadata":{"finalizers":null}}',
  "wait --for=delete namespace/shop --timeout=25s",
  "get svc applied",
  "api-resources --api-group=discovery.k8s.io",
];

/**
 * The API server's own Events about a Service whose address their cache does not know yet: on a busy machine that is chance, and irrelevant
 * to what kubectl shows.
 */
export const REPAIRERS = ["ipallocator-repair-controller", "portallocator-repair-controller"];
