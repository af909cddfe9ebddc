package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/fake"
)

const testName = "testcloud"

// testCloud is upstream's fake with methods that a test puts in its place.
type testCloud struct {
	*fake.Cloud
	metadata   func(context.Context, *v1.Node) (*cloudprovider.InstanceMetadata, error)
	exists     func(context.Context, *v1.Node) (bool, error)
	shutdown   func(context.Context, *v1.Node) (bool, error)
	ensure     func(context.Context, *v1.Service, []*v1.Node) (*v1.LoadBalancerStatus, error)
	remove     func(*v1.Service) error
	labels     func(*v1.PersistentVolume) (map[string]string, error)
	initialize func(cloudprovider.ControllerClientBuilder)
	config     string
}

func (c *testCloud) Initialize(clients cloudprovider.ControllerClientBuilder, _ <-chan struct{}) {
	if c.initialize != nil {
		c.initialize(clients)
	}
}

func (c *testCloud) InstancesV2() (cloudprovider.InstancesV2, bool) { return c, c.EnableInstancesV2 }

func (c *testCloud) LoadBalancer() (cloudprovider.LoadBalancer, bool) { return c, true }

func (c *testCloud) InstanceMetadata(ctx context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
	if c.metadata == nil {
		return c.Cloud.InstanceMetadata(ctx, node)
	}
	return c.metadata(ctx, node)
}

func (c *testCloud) InstanceExists(ctx context.Context, node *v1.Node) (bool, error) {
	if c.exists == nil {
		return true, nil
	}
	return c.exists(ctx, node)
}

func (c *testCloud) InstanceShutdown(ctx context.Context, node *v1.Node) (bool, error) {
	if c.shutdown == nil {
		return false, nil
	}
	return c.shutdown(ctx, node)
}

func (c *testCloud) EnsureLoadBalancer(ctx context.Context, cluster string, service *v1.Service, nodes []*v1.Node) (*v1.LoadBalancerStatus, error) {
	if c.ensure == nil {
		return c.Cloud.EnsureLoadBalancer(ctx, cluster, service, nodes)
	}
	return c.ensure(ctx, service, nodes)
}

func (c *testCloud) EnsureLoadBalancerDeleted(ctx context.Context, cluster string, service *v1.Service) error {
	if c.remove == nil {
		return c.Cloud.EnsureLoadBalancerDeleted(ctx, cluster, service)
	}
	return c.remove(service)
}

func (c *testCloud) GetLabelsForVolume(ctx context.Context, volume *v1.PersistentVolume) (map[string]string, error) {
	if c.labels == nil {
		return c.Cloud.GetLabelsForVolume(ctx, volume)
	}
	return c.labels(volume)
}

// informerCloud is one that watches Nodes by itself.
type informerCloud struct {
	*testCloud
	set func(informers.SharedInformerFactory)
}

func (c *informerCloud) SetInformers(factory informers.SharedInformerFactory) { c.set(factory) }

// The provider that the next Initialize makes: upstream's registry is one for the process.
var (
	registered sync.Once
	upcoming   cloudprovider.Interface
)

func register(cloud cloudprovider.Interface) {
	registered.Do(func() {
		cloudprovider.RegisterCloudProvider(testName, func(config io.Reader) (cloudprovider.Interface, error) {
			if config == nil {
				return upcoming, nil
			}
			text, err := io.ReadAll(config)
			if string(text) == "broken" {
				return nil, errors.New("the configuration has no region")
			}
			return upcoming, err
		})
	})
	upcoming = cloud
}

type fixture struct {
	t      *testing.T
	client providerv1.ProviderClient
	link   *grpc.ClientConn
	server *server
	ended  chan struct{}
}

func newTestCloud() *testCloud {
	return &testCloud{Cloud: &fake.Cloud{
		EnableInstancesV2: true, Provider: testName, ExternalIP: net.ParseIP("198.51.100.7"),
		ProviderID: map[types.NodeName]string{}, RouteMap: map[string]*fake.Route{}, Balancers: map[string]fake.Balancer{},
	}}
}

// serving serves the cloud over a real Unix socket.
func serving(t *testing.T, cloud cloudprovider.Interface, options Options) *fixture {
	t.Helper()
	return servingWith(t, cloud, options, &clientBuilder{problem: errors.New("there is no cluster")})
}

func servingWith(t *testing.T, cloud cloudprovider.Interface, options Options, clients cloudprovider.ControllerClientBuilder) *fixture {
	t.Helper()
	register(cloud)
	path := filepath.Join(t.TempDir(), "provider.sock")
	listener, err := listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	served := newServer(testName, options, clients, end)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := served.serve(ctx, listener); err != nil {
			t.Error(err)
		}
	}()
	link, err := grpc.NewClient("unix:"+path, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = link.Close()
		end()
		<-ended
	})
	return &fixture{t: t, client: providerv1.NewProviderClient(link), link: link, server: served, ended: ended}
}

// begun is one that Initialize was sent to.
func begun(t *testing.T, cloud cloudprovider.Interface, options Options) *fixture {
	t.Helper()
	f := serving(t, cloud, options)
	f.initialize(nil)
	return f
}

func (f *fixture) initialize(config *string) *providerv1.InitializeResponse {
	f.t.Helper()
	answer, err := f.client.Initialize(soon(f.t), &providerv1.InitializeRequest{CloudConfig: config, ClusterName: "test"})
	if err != nil {
		f.t.Fatal(err)
	}
	return answer
}

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func within(t *testing.T, duration time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), duration)
	t.Cleanup(cancel)
	return ctx
}

func node(name, id string, conditions ...v1.NodeCondition) *v1.Node {
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), ResourceVersion: "1"},
		Spec:       v1.NodeSpec{ProviderID: id},
		Status:     v1.NodeStatus{Conditions: conditions},
	}
}

func ready(status v1.ConditionStatus) v1.NodeCondition {
	return v1.NodeCondition{Type: v1.NodeReady, Status: status}
}

func service(name string) *v1.Service {
	return &v1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), ResourceVersion: "1"}}
}

func refOf(object metav1.Object) *providerv1.ObjectRef {
	kind := providerv1.ObjectKind_OBJECT_KIND_NODE
	if _, is := object.(*v1.Service); is {
		kind = providerv1.ObjectKind_OBJECT_KIND_SERVICE
	}
	return &providerv1.ObjectRef{Kind: kind, Uid: string(object.GetUID()), ResourceVersion: object.GetResourceVersion()}
}

func (f *fixture) sync(replacesAll bool, given ...metav1.Object) {
	f.t.Helper()
	request := &providerv1.SyncObjectsRequest{ReplacesAll: replacesAll}
	for _, object := range given {
		text, err := json.Marshal(object)
		if err != nil {
			f.t.Fatal(err)
		}
		request.Upserts = append(request.Upserts, &providerv1.ClusterObject{Ref: refOf(object), Name: object.GetName(), Namespace: object.GetNamespace(), Json: text})
	}
	if _, err := f.client.SyncObjects(soon(f.t), request); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) describe(ctx context.Context, mode providerv1.LookupMode, nodes ...*v1.Node) *providerv1.DescribeInstancesResponse {
	f.t.Helper()
	request := &providerv1.DescribeInstancesRequest{Mode: mode}
	for _, one := range nodes {
		request.Refs = append(request.Refs, instanceRef(one))
	}
	answer, err := f.client.DescribeInstances(ctx, request)
	if err != nil {
		f.t.Fatal(err)
	}
	if len(answer.GetLookups()) != len(nodes) {
		f.t.Fatalf("%d answers for %d references", len(answer.GetLookups()), len(nodes))
	}
	return answer
}

func instanceRef(node *v1.Node) *providerv1.InstanceRef {
	return &providerv1.InstanceRef{NodeName: node.Name, ProviderId: present(node.Spec.ProviderID), Node: refOf(node)}
}

func held() *providerv1.Fence {
	return &providerv1.Fence{Holder: "replica-1", Term: 7, ValidUntilMs: time.Now().Add(time.Minute).UnixMilli()}
}

func specOf(service *v1.Service, nodes ...*v1.Node) *providerv1.LoadBalancerSpec {
	spec := &providerv1.LoadBalancerSpec{Owner: ownerOf(service)}
	for _, one := range nodes {
		spec.Members = append(spec.Members, &providerv1.Member{NodeName: one.Name, Node: refOf(one)})
	}
	return spec
}

func ownerOf(service *v1.Service) *providerv1.LoadBalancerOwner {
	return &providerv1.LoadBalancerOwner{ObjectUid: string(service.UID), Namespace: service.Namespace, Name: service.Name, ClusterName: "test", Service: refOf(service)}
}

func failureIn(t *testing.T, trailer metadata.MD) *Failure {
	t.Helper()
	failure := &Failure{}
	read(t, trailer, failureTrailer, failure)
	return failure
}

func read(t *testing.T, trailer metadata.MD, key string, into proto.Message) {
	t.Helper()
	texts := trailer.Get(key)
	if len(texts) != 1 {
		t.Fatalf("the trailer %s is there %d times", key, len(texts))
	}
	if err := proto.Unmarshal([]byte(texts[0]), into); err != nil {
		t.Fatal(err)
	}
}
