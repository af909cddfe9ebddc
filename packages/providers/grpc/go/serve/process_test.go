package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/klog/v2"
)

func TestHandshakeNamesTheStartOfTheProcess(t *testing.T) {
	f := serving(t, newTestCloud(), Options{Version: "1.2"})
	answer, err := f.client.Handshake(soon(t), &providerv1.HandshakeRequest{Protocol: 1})
	if err != nil || answer.GetProtocol() != 1 || answer.GetProviderName() != testName || answer.GetVersion() != "1.2" || answer.GetInstance() == "" {
		t.Errorf("%v, %v", answer, err)
	}
	if other := newServer(testName, Options{}, &clientBuilder{}, func() {}); other.instance == answer.GetInstance() {
		t.Error("two starts have the same number")
	}
	checked, err := healthv1.NewHealthClient(f.link).Check(soon(t), &healthv1.HealthCheckRequest{Service: "cloudwright.provider.v1.Provider"})
	if err != nil || checked.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("health is %v, %v", checked, err)
	}
}

func TestNothingIsAskedOfAProviderThatHasNotBegun(t *testing.T) {
	cloud := newTestCloud()
	cloud.initialize = func(cloudprovider.ControllerClientBuilder) { t.Error("it began") }
	f := serving(t, cloud, Options{})
	announced, err := f.client.Initialize(soon(t), &providerv1.InitializeRequest{CapabilitiesOnly: true})
	if err != nil || announced.GetCapabilities().GetLoadBalancers().GetStyle() != providerv1.LoadBalancerStyle_LOAD_BALANCER_STYLE_ENSURE {
		t.Errorf("announced are %v, %v", announced, err)
	}
	if _, err := f.client.ListRoutes(soon(t), &providerv1.ListRoutesRequest{}); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("listing routes is %v", err)
	}
}

func TestAProviderBeginsOnce(t *testing.T) {
	cloud := newTestCloud()
	times := 0
	cloud.initialize = func(cloudprovider.ControllerClientBuilder) { times++ }
	f := serving(t, cloud, Options{})
	broken, config := "broken", "region: r"
	if _, err := f.client.Initialize(soon(t), &providerv1.InitializeRequest{CloudConfig: &broken}); status.Code(err) != codes.FailedPrecondition || !strings.Contains(err.Error(), "no region") {
		t.Errorf("a configuration that it refuses is %v", err)
	}
	f.initialize(&config)
	f.initialize(&config)
	if times != 1 {
		t.Errorf("it began %d times", times)
	}
	other := "region: other"
	if _, err := f.client.Initialize(soon(t), &providerv1.InitializeRequest{CloudConfig: &other}); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("another configuration is %v", err)
	}
	<-f.ended
}

func TestAProviderThatNeedsTheClusterAndHasNoneSaysSo(t *testing.T) {
	cloud := newTestCloud()
	cloud.initialize = func(clients cloudprovider.ControllerClientBuilder) { clients.ClientOrDie("test") }
	f := servingWith(t, cloud, Options{}, clientBuilderFor(""))
	var trailer metadata.MD
	_, err := f.client.Initialize(soon(t), &providerv1.InitializeRequest{}, grpc.Trailer(&trailer))
	if err == nil || !strings.Contains(err.Error(), environmentKubeconfig) || failureIn(t, trailer).GetOperation() != "Initialize" {
		t.Errorf("%v", err)
	}
}

func TestWrapStandsBeforeTheProvider(t *testing.T) {
	cloud, wrapped := newTestCloud(), newTestCloud()
	wrapped.DisableRoutes = true
	f := serving(t, cloud, Options{Wrap: func(cloudprovider.Interface) cloudprovider.Interface { return wrapped }})
	if announced := f.initialize(nil).GetCapabilities(); announced.GetRoutes() != nil {
		t.Errorf("announced are %v", announced)
	}
}

func TestAProviderThatWatchesGetsInformersOfItsOwn(t *testing.T) {
	requests := make(chan string, 8)
	typeOfNode := metav1.TypeMeta{Kind: "Node", APIVersion: "v1"}
	api := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		select {
		case requests <- request.UserAgent():
		default:
		}
		answer.Header().Set("content-type", "application/json")
		if request.URL.Query().Get("watch") == "" {
			http.Error(answer, "this cluster streams its lists", http.StatusInternalServerError)
			return
		}
		end := &v1.Node{TypeMeta: typeOfNode, ObjectMeta: metav1.ObjectMeta{ResourceVersion: "1", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}
		first := node("first", "")
		first.TypeMeta = typeOfNode
		for _, event := range []map[string]any{{"type": "ADDED", "object": first}, {"type": "BOOKMARK", "object": end}} {
			_ = json.NewEncoder(answer).Encode(event)
		}
		answer.(http.Flusher).Flush()
		<-request.Context().Done()
	}))
	t.Cleanup(api.CloseClientConnections)
	var factory informers.SharedInformerFactory
	cloud := &informerCloud{newTestCloud(), func(given informers.SharedInformerFactory) {
		factory = given
		given.Core().V1().Nodes().Informer()
	}}
	f := servingWith(t, cloud, Options{}, &clientBuilder{config: &rest.Config{Host: api.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}})
	f.initialize(nil)
	if found, err := factory.Core().V1().Nodes().Lister().Get("first"); err != nil || found.Name != "first" {
		t.Errorf("the provider sees %v, %v", found, err)
	}
	if agent := <-requests; !strings.Contains(agent, "shared-informers") {
		t.Errorf("its requests come from %q", agent)
	}
}

// started runs the process as Cloudwright does, with a standard input that stays open until the function that it returns is called.
func started(t *testing.T, environment map[string]string, arguments ...string) (exit <-chan int, endInput func(), log *locked) {
	t.Helper()
	register(newTestCloud())
	input, output := io.Pipe()
	log = &locked{}
	code := make(chan int, 1)
	go func() {
		code <- run(context.Background(), testName, Options{}, surroundings{
			arguments: arguments, environment: func(name string) string { return environment[name] }, standardInput: input, standardError: log,
		})
	}()
	t.Cleanup(func() { klog.SetOutput(os.Stderr) })
	return code, func() { _ = output.Close() }, log
}

type locked struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *locked) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(text)
}

func (l *locked) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

func TestTheProcessEndsWithItsStandardInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "provider.sock")
	exit, endInput, log := started(t, map[string]string{environmentSocket: path})
	awaitSocket(t, path)
	if found, err := os.Stat(path); err != nil || found.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", found, err)
	}
	endInput()
	if code := <-exit; code != 0 {
		t.Errorf("it ended with %d", code)
	}
	for entry := range strings.Lines(log.String()) {
		var read line
		if err := json.Unmarshal([]byte(entry), &read); err != nil || read.Level != "info" || read.Msg == "" {
			t.Errorf("its log has %q", entry)
		}
	}
}

func TestASidecarEndsOnRequestAndNotWithItsStandardInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "provider.sock")
	exit, endInput, _ := started(t, nil, "--socket="+path, "--socket-mode=0660")
	endInput()
	awaitSocket(t, path)
	if found, err := os.Stat(path); err != nil || found.Mode().Perm() != 0o660 {
		t.Errorf("the socket is %v, %v", found, err)
	}
	if _, err := listen(path, 0o600); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second one listens: %v", err)
	}
	link, err := grpc.NewClient("unix:"+path, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = link.Close() }()
	if _, err := providerv1.NewProviderClient(link).Shutdown(soon(t), &providerv1.ShutdownRequest{}); err != nil {
		t.Error(err)
	}
	if code := <-exit; code != 0 {
		t.Errorf("it ended with %d", code)
	}
}

// awaitSocket waits until something answers.
func awaitSocket(t *testing.T, path string) {
	t.Helper()
	for ctx := soon(t); ctx.Err() == nil; {
		if link, err := (&net.Dialer{}).DialContext(ctx, "unix", path); err == nil {
			_ = link.Close()
			return
		}
	}
	t.Fatal("nothing listens")
}

func TestWhatStartsWithoutASocketSaysHowToStartIt(t *testing.T) {
	for _, entry := range []struct {
		arguments []string
		says      string
	}{
		{nil, "is started by Cloudwright"},
		{[]string{"--socket=/s", "--socket-mode=rw"}, "no octal mode"},
		{[]string{"serve"}, "takes no argument"},
	} {
		exit, _, log := started(t, nil, entry.arguments...)
		if code := <-exit; code != exitUsage || !strings.Contains(log.String(), entry.says) {
			t.Errorf("%v ends with %d and %q", entry.arguments, code, log.String())
		}
	}
}

func TestASocketThatAnEarlierProcessLeftIsTakenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "provider.sock")
	left, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = left.Close()
	taken, err := listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_ = taken.Close()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := listen(path, 0o600); err == nil {
		t.Error("a file was taken for a socket")
	}
}

func TestEachEntryOfTheLogIsOneLineWithItsLevel(t *testing.T) {
	log := &locked{}
	logAsJSON(log, 2)
	t.Cleanup(func() { klog.SetOutput(os.Stderr) })
	klog.Info("plain")
	klog.Warning("careful")
	klog.ErrorS(errors.New("broken"), "Could not", "stack", "one\ntwo")
	klog.V(2).Info("verbose")
	klog.V(3).Info("too verbose")
	klog.Flush()
	var got []line
	for entry := range strings.Lines(log.String()) {
		var read line
		if err := json.Unmarshal([]byte(entry), &read); err != nil {
			t.Fatalf("%q: %v", entry, err)
		}
		got = append(got, read)
	}
	expected := []struct{ level, part string }{{"info", "plain"}, {"warn", "careful"}, {"error", "two"}, {"info", "verbose"}}
	if len(got) != len(expected) {
		t.Fatalf("%d lines: %v", len(got), got)
	}
	for index, one := range expected {
		if got[index].Level != one.level || !strings.Contains(got[index].Msg, one.part) || !strings.HasPrefix(got[index].Caller, "process_test.go:") {
			t.Errorf("%v is not %v", got[index], one)
		}
	}
}
