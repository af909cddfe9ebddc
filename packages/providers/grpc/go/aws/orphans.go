package main

import (
	"sync"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/core"
	corev1 "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/tools/cache"
	cloudprovider "k8s.io/cloud-provider"
)

// The provider looks a Node up by its instance in this index of its informer.
const instanceIndex = "instanceID"

// tolerateOrphans makes the provider list all routes where one leads to an instance that lives and has no Node. By itself it
// refuses the whole listing then, so that no route of the cluster is made or removed until that instance is terminated.
//
// Such a route is listed as one to the Node that the instance had last, so that it is removed as any route of a Node that
// went; or, where none was seen, to a Node with the instance's ID as its name, which nobody has: then it is left alone.
func tolerateOrphans(cloud cloudprovider.Interface) cloudprovider.Interface {
	user, ok := cloud.(cloudprovider.InformerUser)
	if !ok {
		return cloud
	}
	return &tolerant{Interface: cloud, user: user}
}

type tolerant struct {
	cloudprovider.Interface
	user cloudprovider.InformerUser
}

func (cloud *tolerant) SetInformers(factory informers.SharedInformerFactory) {
	cloud.user.SetInformers(&tolerantFactory{SharedInformerFactory: factory, lastNames: &lastNames{names: map[string]string{}}})
}

type tolerantFactory struct {
	informers.SharedInformerFactory
	lastNames *lastNames
}

func (factory *tolerantFactory) Core() core.Interface {
	return &tolerantCore{Interface: factory.SharedInformerFactory.Core(), lastNames: factory.lastNames}
}

type tolerantCore struct {
	core.Interface
	lastNames *lastNames
}

func (group *tolerantCore) V1() corev1.Interface {
	return &tolerantV1{Interface: group.Interface.V1(), lastNames: group.lastNames}
}

type tolerantV1 struct {
	corev1.Interface
	lastNames *lastNames
}

func (version *tolerantV1) Nodes() corev1.TypedNodeInformer {
	return &tolerantNodes{TypedNodeInformer: version.Interface.Nodes(), lastNames: version.lastNames}
}

type tolerantNodes struct {
	corev1.TypedNodeInformer
	lastNames *lastNames
}

func (nodes *tolerantNodes) Informer() cache.SharedIndexInformer {
	return &tolerantInformer{SharedIndexInformer: nodes.TypedNodeInformer.Informer(), lastNames: nodes.lastNames}
}

type tolerantInformer struct {
	cache.SharedIndexInformer
	lastNames *lastNames
}

func (informer *tolerantInformer) GetIndexer() cache.Indexer {
	return &tolerantIndexer{Indexer: informer.SharedIndexInformer.GetIndexer(), lastNames: informer.lastNames}
}

type tolerantIndexer struct {
	cache.Indexer
	lastNames *lastNames
}

// IndexKeys answers a name also for an instance without a Node.
func (indexer *tolerantIndexer) IndexKeys(index, value string) ([]string, error) {
	keys, err := indexer.Indexer.IndexKeys(index, value)
	if index != instanceIndex || err != nil {
		return keys, err
	}
	if len(keys) == 0 {
		return []string{indexer.lastNames.of(value)}, nil
	}
	if len(keys) == 1 {
		indexer.lastNames.put(value, keys[0])
	}
	return keys, nil
}

// lastNames remembers by instance the Node that it was seen to have.
type lastNames struct {
	mutex sync.Mutex
	names map[string]string
}

// Of instances that come and go; what is forgotten is left alone.
const mostNames = 50_000

func (last *lastNames) put(instance, node string) {
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if len(last.names) >= mostNames {
		last.names = map[string]string{}
	}
	last.names[instance] = node
}

func (last *lastNames) of(instance string) string {
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if node, seen := last.names[instance]; seen {
		return node
	}
	return instance
}
