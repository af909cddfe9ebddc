package main

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	cloudprovider "k8s.io/cloud-provider"
	aws "k8s.io/cloud-provider-aws/pkg/providers/v1"
	fakecloud "k8s.io/cloud-provider/fake"
)

// One that takes informers and shows what it was given.
type curious struct {
	*fakecloud.Cloud
	informer cache.SharedIndexInformer
}

func (cloud *curious) SetInformers(factory informers.SharedInformerFactory) {
	cloud.informer = factory.Core().V1().Nodes().Informer()
	_ = cloud.informer.AddIndexers(cache.Indexers{instanceIndex: aws.InstanceIDIndexFunc})
}

func TestAnInstanceWithoutNodeHasTheNameOfTheNodeThatItHadLast(t *testing.T) {
	cloud := &curious{Cloud: &fakecloud.Cloud{}}
	wrapped, ok := tolerateOrphans(cloud).(cloudprovider.InformerUser)
	if !ok {
		t.Fatal("it takes no informers any more")
	}
	wrapped.SetInformers(informers.NewSharedInformerFactory(fake.NewClientset(), 0))
	indexer := cloud.informer.GetIndexer()
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "ip-10-0-0-1"}, Spec: v1.NodeSpec{ProviderID: "aws:///eu-central-1a/i-1"}}
	if err := indexer.Add(node); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, indexer, "i-1", "ip-10-0-0-1")
	wantKeys(t, indexer, "i-2", "i-2")
	if err := indexer.Delete(node); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, indexer, "i-1", "ip-10-0-0-1")
}

func TestOtherIndexesAreAsTheyWere(t *testing.T) {
	cloud := &curious{Cloud: &fakecloud.Cloud{}}
	tolerateOrphans(cloud).(cloudprovider.InformerUser).SetInformers(informers.NewSharedInformerFactory(fake.NewClientset(), 0))
	if _, err := cloud.informer.GetIndexer().IndexKeys("zone", "a"); err == nil {
		t.Error("an index that is not there was found")
	}
}

func wantKeys(t *testing.T, indexer cache.Indexer, instance, want string) {
	t.Helper()
	keys, err := indexer.IndexKeys(instanceIndex, instance)
	if err != nil || len(keys) != 1 || keys[0] != want {
		t.Errorf("instance %s has %v, %v; wanted %s", instance, keys, err, want)
	}
}
