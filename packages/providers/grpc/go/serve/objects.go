package serve

import (
	"encoding/json"
	"fmt"
	"sync"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	v1 "k8s.io/api/core/v1"
)

// objects holds the Nodes and Services that came by SyncObjects, decoded once. Requests name them by reference, and nothing is
// ever fetched: a provider sees what Cloudwright saw.
type objects struct {
	mutex    sync.RWMutex
	nodes    map[string]versions[v1.Node]
	services map[string]versions[v1.Service]
}

// versions are the two last ones that came: a request may still be on its way when its object changes.
type versions[Object any] struct {
	latest, previous version[Object]
}

type version[Object any] struct {
	name   string
	object *Object
	// Why it could not be read; then `object` is absent.
	problem error
}

func newObjects() *objects {
	return &objects{nodes: map[string]versions[v1.Node]{}, services: map[string]versions[v1.Service]{}}
}

func (o *objects) sync(request *providerv1.SyncObjectsRequest) {
	nodes, services := decoded(request.GetUpserts())
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if request.GetReplacesAll() {
		o.nodes, o.services = map[string]versions[v1.Node]{}, map[string]versions[v1.Service]{}
	}
	for _, uid := range request.GetDeletedUids() {
		delete(o.nodes, uid)
		delete(o.services, uid)
	}
	upsert(o.nodes, nodes)
	upsert(o.services, services)
}

func decoded(upserts []*providerv1.ClusterObject) (map[string]version[v1.Node], map[string]version[v1.Service]) {
	nodes, services := map[string]version[v1.Node]{}, map[string]version[v1.Service]{}
	for _, object := range upserts {
		switch uid := object.GetRef().GetUid(); object.GetRef().GetKind() {
		case providerv1.ObjectKind_OBJECT_KIND_NODE:
			nodes[uid] = decode[v1.Node](object)
		case providerv1.ObjectKind_OBJECT_KIND_SERVICE:
			services[uid] = decode[v1.Service](object)
		}
	}
	return nodes, services
}

// decode never fails as a whole: one object that cannot be read must not keep the others away.
func decode[Object any](from *providerv1.ClusterObject) version[Object] {
	read := new(Object)
	if err := json.Unmarshal(from.GetJson(), read); err != nil {
		return version[Object]{name: from.GetRef().GetResourceVersion(), problem: fmt.Errorf("%s could not be read as an object of its kind: %w", from.GetName(), err)}
	}
	return version[Object]{name: from.GetRef().GetResourceVersion(), object: read}
}

func upsert[Object any](known map[string]versions[Object], arrived map[string]version[Object]) {
	for uid, next := range arrived {
		before := known[uid].latest
		if before.name == next.name {
			before = known[uid].previous
		}
		known[uid] = versions[Object]{latest: next, previous: before}
	}
}

// resolution finds the objects that one request names, and gathers those that are not here.
type resolution struct {
	objects *objects
	unknown []*providerv1.ObjectRef
}

func (o *objects) resolve() *resolution {
	return &resolution{objects: o}
}

// node is nil for a reference that is not given or unknown.
func (r *resolution) node(ref *providerv1.ObjectRef) (*v1.Node, error) {
	return resolved(r, ref, func() versions[v1.Node] { return r.objects.nodes[ref.GetUid()] })
}

// service is nil for a reference that is not given or unknown.
func (r *resolution) service(ref *providerv1.ObjectRef) (*v1.Service, error) {
	return resolved(r, ref, func() versions[v1.Service] { return r.objects.services[ref.GetUid()] })
}

func resolved[Object any](r *resolution, ref *providerv1.ObjectRef, read func() versions[Object]) (*Object, error) {
	if ref == nil {
		return nil, nil
	}
	r.objects.mutex.RLock()
	held := read()
	r.objects.mutex.RUnlock()
	for _, candidate := range []version[Object]{held.latest, held.previous} {
		if candidate.name == ref.GetResourceVersion() && (candidate.object != nil || candidate.problem != nil) {
			return candidate.object, candidate.problem
		}
	}
	r.unknown = append(r.unknown, ref)
	return nil, nil
}

// latestNodes are up to `count` Nodes that have a provider ID and satisfy the condition.
func (o *objects) latestNodes(count int, fits func(*v1.Node) bool) []*v1.Node {
	o.mutex.RLock()
	defer o.mutex.RUnlock()
	var chosen []*v1.Node
	for _, held := range o.nodes {
		if len(chosen) == count {
			break
		}
		if node := held.latest.object; node != nil && node.Spec.ProviderID != "" && fits(node) {
			chosen = append(chosen, node)
		}
	}
	return chosen
}
