import type { RecordedText } from "../language/recorded.ts";
import { t } from "../language/text.ts";

/** The OpenStack provider's messages about load balancers that it cannot serve or repair. */
const LOAD_BALANCERS: readonly RecordedText[] = [
  ([ranges, family]) =>
    t`none of ${ranges} is of ${family}, the family of the load balancer's first address; add one`,
  () => t`this Octavia does not support SCTP (it needs 2.23 or later)`,
  () =>
    t`this Octavia supports only one address family per load balancer (a second needs 2.26 or later)`,
  () => t`it cannot be combined with proxy-protocol; remove one of them`,
  () => t`this Octavia and its provider do not offer HTTP listeners`,
  () => t`this Octavia and its provider do not offer that PROXY protocol`,
  () => t`this Octavia and its provider do not offer TLS`,
  ([section]) => t`the configuration has no ${section}`,
  () =>
    t`no subnet is configured for it, and no node has an address on a port of this project; set subnet-id in the configuration or on the Service`,
  ([family]) => t`the network of the load balancer has no ${family} subnet`,
  ([network, family]) => t`the network ${network} has no ${family} subnet`,
  ([loadBalancer, state]) =>
    t`${loadBalancer} is ${state}: another Service's change is in progress`,
  ([address, port]) => t`the floating IP ${address} is not available: it is on the port ${port}`,
  ([subnet, network]) => t`the subnet ${subnet} is not one of the floating network ${network}`,
  ([pattern]) => t`${pattern} begins with ~ but is not a regular expression`,
  ([network]) => t`no subnet of the floating network ${network} has that name or those tags`,
  ([loadBalancer]) =>
    t`the load balancer ${loadBalancer} already has that listener, which belongs to somebody else`,
  ([loadBalancer, users]) =>
    t`the load balancer ${loadBalancer} already has that listener, which belongs to ${users}`,
  ([loadBalancer, users, most]) =>
    t`the load balancer ${loadBalancer} serves ${users} Services already, and max-shared-lb is ${most}`,
  ([part, id]) =>
    t`${part} is in ERROR; ensure the load balancer again, or delete ${id} in the cloud so that it is created again`,
  ([status]) =>
    t`Octavia reports ERROR (operating status ${status}), and others use it, so it is left as it is; have it repaired in the cloud`,
  ([status]) =>
    t`Octavia reports ERROR (operating status ${status}); ensure it again to replace it with its address kept, or set on-error in [LoadBalancer]`,
  ([status]) => t`Octavia reports ERROR (operating status ${status})`,
  ([id]) => t`the project has no load balancer ${id}; correct the annotation or remove it`,
];

/** Its messages about servers and about a router's routes. */
const SERVERS_AND_ROUTES: readonly RecordedText[] = [
  ([node]) =>
    t`The server of the node ${node} cannot be read: its cell is down (status UNKNOWN), so its state is not known`,
  ([node, why], answer) => t`The server of the node ${node} cannot be read: ${answer(why)}`,
  ([count, node, ids]) =>
    t`${count} servers are named ${node} (${ids}), so it is not known which one is the node's; rename all but one or set the node's provider ID`,
  ([server]) => t`The server ${server} has no flavor, so its instance type is not known`,
  ([name]) => t`None of our servers is named ${name}, so its route has no target`,
  ([providerID]) =>
    t`None of our servers has the provider ID ${providerID}, so its route has no target`,
  () =>
    t`Neutron has no extra routes: neither extraroute-atomic nor extraroute is among its extensions; remove router-id from cloud.conf`,
  ([most]) =>
    t`The router is full (${most} routes): have Neutron's max_routes raised, or remove unused routes`,
  () => t`The router is full: have Neutron's max_routes raised, or remove unused routes`,
  ([node, family]) =>
    t`The server of ${node} has no ${family} address on a network of the router; attach it to one, or have the router attached to the server's`,
  ([destination, nexthop]) =>
    t`The router already has a route to ${destination} via ${nexthop}; remove that route if it is not needed`,
];

/** Its messages about services that refuse a call or do not answer; the services' own answers are theirs. */
const SERVICES: readonly RecordedText[] = [
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}; check the credentials in cloud.conf`,
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}; give the user a role in the project that allows it`,
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}; raise the project's quota or remove what is not needed`,
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}; free addresses in the subnet or choose another one`,
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}; the router is full: raise max_routes or remove routes`,
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}; check the service's endpoint in the catalog and what is in front of it`,
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}; check the service's health`,
  ([service, operation, status, why], answer) =>
    t`${service} refused ${operation} with ${status}: ${answer(why)}`,
  ([service, operation, why], answer) =>
    t`${service} did not answer ${operation}: ${answer(why)}; check the network and its endpoint`,
  ([service, operation, why], answer) =>
    t`The answer of ${service} to ${operation} was not used: ${answer(why)}; check what is between this process and the cloud`,
  ([operation, service, field]) =>
    t`The answer to ${operation} is not what ${service}'s API promises in ${field}; check the service's endpoint and what is in front of it`,
  ([operation, service]) =>
    t`The answer to ${operation} is not what ${service}'s API promises; check the service's endpoint and what is in front of it`,
  ([operation, item, problem]) =>
    t`The listing ${operation} cannot be used: ${item} in it is not what the API promises (${problem})`,
  () =>
    t`Keystone refused the token of cloud.conf, which has expired or was revoked and cannot be renewed; set a new one, or an application credential`,
  ([why], answer) =>
    t`Keystone refused the token of cloud.conf, which has expired or was revoked and cannot be renewed; set a new one, or an application credential (${answer(why)})`,
  () => t`Keystone refused our credentials; correct them in cloud.conf`,
  ([why], answer) =>
    t`Keystone refused our credentials; correct them in cloud.conf (${answer(why)})`,
  ([url, why], answer) =>
    t`There is no Keystone v3 at ${url}: ${answer(why)}; correct auth-url in cloud.conf`,
  ([endpoint, service, others]) =>
    t`Keystone's catalog has no endpoint ${endpoint} of ${service}, but ${others}; check region and os-endpoint-type in cloud.conf`,
  ([service]) =>
    t`Keystone's catalog has no endpoint of ${service}; check region and os-endpoint-type in cloud.conf`,
  ([service, regions]) =>
    t`Keystone's catalog has several endpoints of ${service} (${regions}); set region in cloud.conf`,
  () =>
    t`The token is for no project, so there is no catalog; set tenant-id or tenant-name in cloud.conf`,
];

export const OPENSTACK_TEXTS: readonly RecordedText[] = [
  ...LOAD_BALANCERS,
  ...SERVERS_AND_ROUTES,
  ...SERVICES,
];
