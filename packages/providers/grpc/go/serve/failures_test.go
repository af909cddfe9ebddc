package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	cloudprovider "k8s.io/cloud-provider"
)

// codedError is like the API errors of the AWS SDK.
type codedError struct {
	code   string
	status int
}

func (e *codedError) Error() string            { return "api error " + e.code }
func (e *codedError) ErrorCode() string        { return e.code }
func (e *codedError) HTTPStatusCode() int      { return e.status }
func (e *codedError) ServiceRequestID() string { return "request-1" }

// Others have fields alone.
type statusError struct{ StatusCode int }

func (statusError) Error() string { return "refused" }

type responseError struct{ Response *http.Response }

func (*responseError) Error() string { return "refused" }

type googleError struct {
	Code    int
	Message string
}

func (e *googleError) Error() string { return e.Message }

type slowError struct{}

func (slowError) Error() string   { return "slow" }
func (slowError) Timeout() bool   { return true }
func (slowError) Temporary() bool { return true }

func TestErrorsOfAnySDKAreClassified(t *testing.T) {
	for _, entry := range []struct {
		err      error
		expected providerv1.FailureCode
	}{
		{cloudprovider.NotImplemented, unsupported},
		{fmt.Errorf("of i-1: %w", cloudprovider.InstanceNotFound), notFound},
		{cloudprovider.DiskNotFound, notFound},
		{fmt.Errorf("asking: %w", context.DeadlineExceeded), timedOut},
		{context.Canceled, unavailable},
		{slowError{}, timedOut},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, unavailable},
		{fmt.Errorf("reading: %w", syscall.ECONNRESET), unavailable},
		{&codedError{code: "Throttling"}, throttled},
		{&codedError{code: "RequestLimitExceeded"}, throttled},
		{&codedError{code: "UnauthorizedOperation"}, unauthorized},
		{&codedError{code: "AccessDenied"}, unauthorized},
		{&codedError{code: "AddressLimitExceeded"}, quota},
		{&codedError{code: "TooManyLoadBalancers"}, quota},
		{&codedError{code: "InvalidInstanceID.NotFound"}, notFound},
		{&codedError{code: "DependencyViolation"}, conflict},
		{&codedError{code: "RouteAlreadyExists"}, conflict},
		{&codedError{code: "InvalidParameterValue"}, invalid},
		{&codedError{code: "InternalError"}, unavailable},
		{&codedError{code: "Unheard", status: 429}, throttled},
		{&codedError{code: "Unheard", status: 418}, unknown},
		{statusError{503}, unavailable},
		{&responseError{&http.Response{StatusCode: 401}}, unauthorized},
		{&responseError{}, unknown},
		{fmt.Errorf("of the project: %w", &googleError{Code: 409}), conflict},
		{apierrors.NewForbidden(schema.GroupResource{Resource: "nodes"}, "n", errors.New("no")), unauthorized},
		{errors.New("anything"), unknown},
	} {
		if failure := Classify(entry.err); failure.GetCode() != entry.expected || failure.GetMessage() == "" && entry.err.Error() != "" {
			t.Errorf("%v is %v", entry.err, failure)
		}
	}
	if failure := Classify(&codedError{"Throttling", 400}); failure.GetStatus() != 400 || failure.GetCloudCode() != "Throttling" || failure.GetRequestId() != "request-1" {
		t.Errorf("details are %v", failure)
	}
}

func TestAMessageIsBounded(t *testing.T) {
	if message := Classify(errors.New(strings.Repeat("ü", 1<<20))).GetMessage(); len(message) > longestMessage+4 || strings.ContainsRune(message, '�') {
		t.Errorf("%d bytes", len(message))
	}
}

func TestTheProvidersOwnRulesComeFirst(t *testing.T) {
	own := classifier{own: func(err error) *Failure {
		if err.Error() == "brownout" {
			return &Failure{Code: throttled}
		}
		return nil
	}}
	of := operation{name: "EnsureLoadBalancer", target: "default/web", mutates: true}
	if failure := own.failure(errors.New("brownout"), of); failure.GetCode() != throttled || failure.GetMessage() != "brownout" || failure.GetOperation() != of.name || failure.GetMayBeDone() {
		t.Errorf("%v", failure)
	}
	if failure := own.failure(errors.New("other"), of); failure.GetCode() != unknown || !failure.GetMayBeDone() {
		t.Errorf("%v", failure)
	}
}
