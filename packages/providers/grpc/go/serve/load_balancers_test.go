package serve

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	v1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/api"
)

func TestServiceAndNodesReachTheProviderAsTheyCame(t *testing.T) {
	cloud := newTestCloud()
	proxy := v1.LoadBalancerIPModeProxy
	cloud.ensure = func(_ context.Context, service *v1.Service, nodes []*v1.Node) (*v1.LoadBalancerStatus, error) {
		if service.Annotations["size"] != "large" || len(nodes) != 2 || nodes[1].Name != "second" {
			t.Errorf("the provider got %v and %v", service, nodes)
		}
		// What providers must not do and some do.
		service.Annotations["size"] = "changed"
		return &v1.LoadBalancerStatus{Ingress: []v1.LoadBalancerIngress{{IP: "198.51.100.1", IPMode: &proxy, Ports: []v1.PortStatus{{Port: 80, Protocol: v1.ProtocolTCP}}}}}, nil
	}
	f := begun(t, cloud, Options{})
	web, first, second := service("web"), node("first", ""), node("second", "")
	web.Annotations = map[string]string{"size": "large"}
	f.sync(true, web, first, second)
	for range 2 {
		answer, err := f.client.EnsureLoadBalancer(soon(t), &providerv1.EnsureLoadBalancerRequest{Fence: held(), Spec: specOf(web, first, second)})
		if err != nil {
			t.Fatal(err)
		}
		ingress := answer.GetStatus().GetIngress()[0]
		if ingress.GetIp() != "198.51.100.1" || ingress.GetIpMode() != "Proxy" || ingress.GetPorts()[0].GetPort() != 80 || ingress.Hostname != nil {
			t.Errorf("the status is %v", ingress)
		}
		if calls := answer.GetCalls(); len(calls) != 1 || calls[0].GetOperation() != "EnsureLoadBalancer" || !calls[0].GetMutates() || calls[0].GetTarget() != "default/web" {
			t.Errorf("calls are %v", calls)
		}
	}
}

func TestLoadBalancerIsFoundAndRemoved(t *testing.T) {
	cloud := newTestCloud()
	f := begun(t, cloud, Options{})
	web := service("web")
	f.sync(true, web)
	missing, err := f.client.GetLoadBalancer(soon(t), &providerv1.GetLoadBalancerRequest{Owner: ownerOf(web)})
	if err != nil || missing.GetStatus() != nil || missing.GetName() != "auidweb" {
		t.Errorf("before: %v, %v", missing, err)
	}
	cloud.Exists = true
	there, err := f.client.GetLoadBalancer(soon(t), &providerv1.GetLoadBalancerRequest{Owner: ownerOf(web)})
	if err != nil || there.GetStatus().GetIngress()[0].GetIp() != "198.51.100.7" {
		t.Errorf("after: %v, %v", there, err)
	}
	cloud.remove = func(*v1.Service) error { return cloudprovider.ImplementedElsewhere }
	if _, err := f.client.DeleteLoadBalancer(soon(t), &providerv1.DeleteLoadBalancerRequest{Fence: held(), Owner: ownerOf(web)}); err != nil {
		t.Errorf("what is served elsewhere is left alone: %v", err)
	}
}

func TestImplementedElsewhereIsAnAnswer(t *testing.T) {
	cloud := newTestCloud()
	cloud.ensure = func(context.Context, *v1.Service, []*v1.Node) (*v1.LoadBalancerStatus, error) {
		return nil, cloudprovider.ImplementedElsewhere
	}
	f := begun(t, cloud, Options{})
	web := service("web")
	f.sync(true, web)
	answer, err := f.client.EnsureLoadBalancer(soon(t), &providerv1.EnsureLoadBalancerRequest{Fence: held(), Spec: specOf(web)})
	if err != nil || answer.GetElsewhere() == nil {
		t.Errorf("%v, %v", answer, err)
	}
}

func TestFailuresOfAChangeTravelInTheTrailer(t *testing.T) {
	for name, expected := range map[string]struct {
		err       error
		status    codes.Code
		code      providerv1.FailureCode
		mayBeDone bool
		retryMS   uint64
	}{
		"retry":     {api.NewRetryError("the load balancer is not ready", 7*time.Second), codes.Unavailable, unavailable, true, 7000},
		"deadline":  {context.DeadlineExceeded, codes.DeadlineExceeded, timedOut, true, 0},
		"anything":  {errors.New("strange"), codes.Unknown, unknown, true, 0},
		"conflict":  {&codedError{code: "DependencyViolation"}, codes.AlreadyExists, conflict, false, 0},
		"throttled": {&codedError{code: "RequestLimitExceeded"}, codes.ResourceExhausted, throttled, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			cloud := newTestCloud()
			cloud.ensure = func(context.Context, *v1.Service, []*v1.Node) (*v1.LoadBalancerStatus, error) {
				return nil, expected.err
			}
			f := begun(t, cloud, Options{})
			web := service("web")
			f.sync(true, web)
			var trailer metadata.MD
			_, err := f.client.EnsureLoadBalancer(soon(t), &providerv1.EnsureLoadBalancerRequest{Fence: held(), Spec: specOf(web)}, grpc.Trailer(&trailer))
			failure := failureIn(t, trailer)
			if status.Code(err) != expected.status || failure.GetCode() != expected.code || failure.GetMayBeDone() != expected.mayBeDone || failure.GetRetryAfterMs() != expected.retryMS {
				t.Errorf("%v with %v", err, failure)
			}
			if failure.GetOperation() != "EnsureLoadBalancer" || failure.GetTarget() != "default/web" {
				t.Errorf("of %q to %q", failure.GetOperation(), failure.GetTarget())
			}
		})
	}
}

func TestAPanicIsThatCallsFailure(t *testing.T) {
	cloud := newTestCloud()
	cloud.ensure = func(_ context.Context, service *v1.Service, _ []*v1.Node) (*v1.LoadBalancerStatus, error) {
		if service.Name == "panics" {
			panic("nil map")
		}
		return &v1.LoadBalancerStatus{}, nil
	}
	f := begun(t, cloud, Options{})
	bad, good := service("panics"), service("good")
	f.sync(true, bad, good)
	var trailer metadata.MD
	_, err := f.client.EnsureLoadBalancer(soon(t), &providerv1.EnsureLoadBalancerRequest{Fence: held(), Spec: specOf(bad)}, grpc.Trailer(&trailer))
	if failure := failureIn(t, trailer); err == nil || failure.GetCode() != unavailable || !failure.GetMayBeDone() {
		t.Errorf("%v with %v", err, failure)
	}
	if _, err := f.client.EnsureLoadBalancer(soon(t), &providerv1.EnsureLoadBalancerRequest{Fence: held(), Spec: specOf(good)}); err != nil {
		t.Error(err)
	}
}

func TestOneServiceIsNeverWorkedOnTwiceAtTheSameTime(t *testing.T) {
	cloud := newTestCloud()
	var running, calls atomic.Int32
	began, released := make(chan struct{}, 2), make(chan struct{})
	cloud.ensure = func(context.Context, *v1.Service, []*v1.Node) (*v1.LoadBalancerStatus, error) {
		if running.Add(1) > 1 {
			t.Error("the same Service is worked on twice")
		}
		defer running.Add(-1)
		calls.Add(1)
		began <- struct{}{}
		// As a provider that knows no context: it goes on after the request's end.
		<-released
		return &v1.LoadBalancerStatus{}, nil
	}
	f := begun(t, cloud, Options{})
	web := service("web")
	f.sync(true, web)
	request := &providerv1.EnsureLoadBalancerRequest{Fence: held(), Spec: specOf(web)}
	ctx, cancel := context.WithCancel(soon(t))
	var first sync.WaitGroup
	first.Go(func() {
		if _, err := f.client.EnsureLoadBalancer(ctx, request); status.Code(err) != codes.Canceled {
			t.Errorf("the first ended with %v", err)
		}
	})
	<-began
	cancel()
	first.Wait()
	var trailer metadata.MD
	_, err := f.client.EnsureLoadBalancer(within(t, time.Second), request, grpc.Trailer(&trailer))
	if status.Code(err) != codes.DeadlineExceeded || failureIn(t, trailer).GetMayBeDone() {
		t.Errorf("the second waits in vain and has done nothing: %v", err)
	}
	close(released)
	if _, err := f.client.EnsureLoadBalancer(soon(t), request); err != nil || calls.Load() != 2 {
		t.Errorf("the third is carried out: %v, %d calls", err, calls.Load())
	}
}

func TestChangesNeedTheLease(t *testing.T) {
	cloud := newTestCloud()
	f := begun(t, cloud, Options{})
	web := service("web")
	f.sync(true, web)
	ensure := func(sent *providerv1.Fence) codes.Code {
		_, err := f.client.EnsureLoadBalancer(soon(t), &providerv1.EnsureLoadBalancerRequest{Fence: sent, Spec: specOf(web)})
		return status.Code(err)
	}
	later := time.Now().Add(time.Minute).UnixMilli()
	for _, step := range []struct {
		name     string
		fence    *providerv1.Fence
		expected codes.Code
	}{
		{"without a fence", nil, codes.InvalidArgument},
		{"whose Lease is over", &providerv1.Fence{Term: 1, ValidUntilMs: time.Now().Add(-time.Millisecond).UnixMilli()}, codes.Aborted},
		{"of a term", &providerv1.Fence{Term: 5, ValidUntilMs: later}, codes.OK},
		{"of an earlier term", &providerv1.Fence{Term: 4, ValidUntilMs: later}, codes.Aborted},
		{"of a later term", &providerv1.Fence{Term: 6, ValidUntilMs: later}, codes.OK},
	} {
		if code := ensure(step.fence); code != step.expected {
			t.Errorf("a change %s is %v", step.name, code)
		}
	}
	if calls := len(cloud.EnsureCalls); calls != 2 {
		t.Errorf("%d of them reached the provider", calls)
	}
}

func TestALeaseThatWasMadeAnewCountsFromZeroAgain(t *testing.T) {
	var f fence
	now := time.Now()
	if err := f.admit(&providerv1.Fence{Term: 9, ValidUntilMs: now.Add(time.Second).UnixMilli()}, now); err != nil {
		t.Fatal(err)
	}
	anew := &providerv1.Fence{Term: 0, ValidUntilMs: now.Add(time.Minute).UnixMilli()}
	if err := f.admit(anew, now); status.Code(err) != codes.Aborted {
		t.Errorf("while the later term holds: %v", err)
	}
	if err := f.admit(anew, now.Add(2*time.Second)); err != nil {
		t.Errorf("when it is over: %v", err)
	}
}
